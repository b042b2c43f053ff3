import type { EngineApi } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import { EngineFailure } from './engine-transport.js';

interface BlocksAnswer {
  readonly blocks?: {
    readonly global?: Readonly<Record<string, Block>>;
    readonly indices?: Readonly<Record<string, Readonly<Record<string, Block>>>>;
  };
}

interface Block {
  readonly levels?: readonly string[];
}

/** Resolves when the cluster answers. `GET /` would say less and needs modules that a plain server lacks. */
export async function requireAnswer(api: EngineApi, call: EngineCall): Promise<void> {
  await api.send(call, { method: 'GET', path: '/_cluster/health' });
}

/** Why the cluster or one of our indexes takes no writes; null when all do. An engine with full disks answers everything else. */
export async function findWriteBlock(api: EngineApi, call: EngineCall, prefix: string): Promise<string | null> {
  const path = `/_cluster/state/blocks/${prefix}-*`;
  const { body } = await api.send<BlocksAnswer>(call, { method: 'GET', path, query: { filter_path: 'blocks' } });
  const groups = [body.blocks?.global ?? {}, ...Object.values(body.blocks?.indices ?? {})];
  const forbidsWriting = groups.some((blocks) =>
    Object.values(blocks).some((block) => block.levels?.includes('write') ?? false),
  );
  return forbidsWriting ? EngineFailure.answered(429, { type: 'cluster_block_exception' }).reason : null;
}
