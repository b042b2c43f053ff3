import { randomBytes } from 'node:crypto';
import { afterAll, describe, inject } from 'vitest';
import { ENGINE_KINDS, ENGINE_RELEASES, type EngineKind } from '../../scripts/lib/engines/engine-process.js';

export { startEngine, type EngineKind, type EngineProcess } from '../../scripts/lib/engines/engine-process.js';

/** The engine that all specs share: nothing may be broken there but indexes of the own prefix. */
export interface SharedEngine {
  readonly kind: EngineKind;
  readonly url: string;
  /** Beginning of the names of this suite's indexes, which are removed at its end. */
  readonly prefix: string;
}

/** The settings that put a service on an engine. */
export function engineSettings(kind: EngineKind, url: string, prefix = 'kb'): Record<string, string> {
  return { VECTOR_STORE: kind, [ENGINE_RELEASES[kind].setting]: url, VECTOR_STORE_INDEX_PREFIX: prefix };
}

/** The same suite on each engine; skipped where there is none. */
export function describeOnEngines(name: string, suite: (engine: SharedEngine) => void): void {
  for (const kind of ENGINE_KINDS) {
    const found = inject('engines')[kind];
    const url = 'url' in found ? found.url : '';
    const prefix = `test-${randomBytes(4).toString('hex')}`;
    describe.skipIf(url === '')(`${name} on ${ENGINE_RELEASES[kind].title}`, () => {
      afterAll(() => removeIndexes(url, prefix));
      suite({ kind, url, prefix });
    });
  }
}

/** One by one: by default neither engine removes indexes by a pattern. */
async function removeIndexes(url: string, prefix: string): Promise<void> {
  const listed = await fetch(`${url}/_cat/indices/${prefix}*?format=json&h=index&expand_wildcards=all`);
  const indexes = (await listed.json()) as readonly { readonly index: string }[];
  for (const { index } of indexes) await fetch(`${url}/${index}`, { method: 'DELETE' });
}
