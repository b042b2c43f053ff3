import type { TestProject } from 'vitest/node';
import {
  ENGINE_KINDS,
  ENGINE_RELEASES,
  EngineUnavailable,
  startEngine,
  type EngineKind,
  type EngineProcess,
} from '../../scripts/lib/engines/engine-process.js';

/** Where an engine answers, or why there is none. */
export type EngineForTests = { readonly url: string } | { readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    engines: Readonly<Record<EngineKind, EngineForTests>>;
  }
}

/** One Elasticsearch and one OpenSearch for all specs of the tier: those of TEST_ELASTICSEARCH_URL and TEST_OPENSEARCH_URL, else own ones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started: EngineProcess[] = [];
  const open = async (kind: EngineKind): Promise<readonly [EngineKind, EngineForTests]> => {
    const given = process.env[`TEST_${ENGINE_RELEASES[kind].setting}`];
    if (given !== undefined && given !== '') return [kind, { url: given }];
    try {
      const engine = await startEngine(kind);
      started.push(engine);
      return [kind, { url: engine.url }];
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      process.stderr.write(`No ${ENGINE_RELEASES[kind].title} for the tests: ${error.message}\n`);
      return [kind, { reason: error.message }];
    }
  };
  const engines = Object.fromEntries(await Promise.all(ENGINE_KINDS.map(open)));
  project.provide('engines', engines as Record<EngineKind, EngineForTests>);
  return async () => {
    await Promise.all(started.map((engine) => engine.dispose()));
  };
}
