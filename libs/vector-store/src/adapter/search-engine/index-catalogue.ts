import type { IndexSpec } from '../../vector-store.port.js';
import type { EngineApi } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import type { EngineDialect } from './engine-dialect.js';
import { EngineFailure } from './engine-transport.js';
import { indexBody, indexNameOf, type IndexMeta } from './index-layout.js';

/** How long a count of rows serves. It only decides how widely vectors are compared. */
const COUNT_LIVES_MS = 5_000;
/** Indexes that are remembered. */
const KNOWN_MOST = 10_000;
/** Makers of one index who meet see each other's after this many looks. */
const LOOKS = 5;

interface MappingAnswer {
  readonly [index: string]: { readonly mappings: { readonly _meta?: IndexMeta } };
}

/** Makes and drops indexes and remembers what they were made for and about how many rows they hold. */
export class IndexCatalogue {
  private readonly metas = new Map<string, IndexMeta>();
  private readonly counts = new Map<string, { rows: number; until: number }>();

  constructor(
    private readonly api: EngineApi,
    private readonly dialect: EngineDialect,
  ) {}

  /** What the index behind the alias was made for; made for `spec` when there is none. Always asks the engine. */
  async ensure(call: EngineCall, alias: string, spec: IndexSpec): Promise<IndexMeta> {
    for (let look = 0; look < LOOKS; look += 1) {
      const known = await this.look(call, alias);
      if (known !== undefined) return known;
      await this.make(call, alias, spec);
    }
    throw new EngineFailure('an index has its name but not its alias');
  }

  /** What the index was made for as far as this process knows; asks when it does not. Undefined when there is none. */
  async meta(call: EngineCall, alias: string): Promise<IndexMeta | undefined> {
    return this.metas.get(alias) ?? (await this.look(call, alias));
  }

  /** The same, from the engine. */
  async look(call: EngineCall, alias: string): Promise<IndexMeta | undefined> {
    const answer = await this.api.send<MappingAnswer>(call, { method: 'GET', path: `/${alias}/_mapping` }, [404]);
    const meta = answer.status === 404 ? undefined : Object.values(answer.body)[0]?.mappings._meta;
    if (this.metas.size >= KNOWN_MOST) this.metas.clear();
    if (meta === undefined) this.metas.delete(alias);
    else this.metas.set(alias, meta);
    return meta;
  }

  forget(alias: string): void {
    this.metas.delete(alias);
    this.counts.delete(alias);
  }

  /** Removes whatever lies behind the alias, of any layout. */
  async drop(call: EngineCall, alias: string): Promise<void> {
    this.forget(alias);
    const answer = await this.api.send<MappingAnswer>(call, { method: 'GET', path: `/_alias/${alias}` }, [404]);
    const names = new Set(answer.status === 404 ? [] : Object.keys(answer.body)).add(indexNameOf(alias));
    const query = { ignore_unavailable: 'true' };
    await this.api.send(call, { method: 'DELETE', path: `/${[...names].join(',')}`, query }, [404]);
    this.forget(alias);
  }

  /** About how many rows each index holds, counted at most seconds ago; 0 for a missing one. */
  async rows(call: EngineCall, aliases: readonly string[]): Promise<Map<string, number>> {
    const now = performance.now();
    const stale = aliases.filter((alias) => (this.counts.get(alias)?.until ?? 0) <= now);
    const answers = await this.api.searchAll(
      call,
      stale.map((alias) => ({ indexes: [alias], body: { size: 0, track_total_hits: true } })),
    );
    if (this.counts.size >= KNOWN_MOST) this.counts.clear();
    for (const [at, alias] of stale.entries()) {
      this.counts.set(alias, { rows: answers[at]?.hits?.total?.value ?? 0, until: now + COUNT_LIVES_MS });
    }
    return new Map(aliases.map((alias) => [alias, this.counts.get(alias)?.rows ?? 0]));
  }

  /** Rows that this process wrote: its next search sees an index that has grown. */
  grow(alias: string, rows: number): void {
    const known = this.counts.get(alias);
    if (known !== undefined) known.rows += rows;
  }

  /** Someone else may be quicker, which is as good. */
  private async make(call: EngineCall, alias: string, spec: IndexSpec): Promise<void> {
    const request = {
      method: 'PUT',
      path: `/${indexNameOf(alias)}`,
      body: indexBody(alias, spec, this.dialect),
    } as const;
    try {
      await this.api.send(call, request);
    } catch (error) {
      if (!(error instanceof EngineFailure) || error.type !== 'resource_already_exists_exception') throw error;
    }
  }
}
