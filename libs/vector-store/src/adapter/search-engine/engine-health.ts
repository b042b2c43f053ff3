import type { EngineApi } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import type { WriteRefusal } from '../../vector-store.port.js';
import { EngineFailure } from './engine-transport.js';

/** Blocks that an engine sets by itself when its disks are full: on an index, and on the cluster. */
const FULL_DISK_BLOCKS: ReadonlySet<string> = new Set(['12', '13', '10']);

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
export async function findWriteBlock(api: EngineApi, call: EngineCall, prefix: string): Promise<WriteRefusal | null> {
  const path = `/_cluster/state/blocks/${prefix}-*`;
  const { body } = await api.send<BlocksAnswer>(call, { method: 'GET', path, query: { filter_path: 'blocks' } });
  const groups = [body.blocks?.global ?? {}, ...Object.values(body.blocks?.indices ?? {})];
  const writing = groups
    .flatMap((blocks) => Object.entries(blocks))
    .filter(([, block]) => block.levels?.includes('write') ?? false);
  if (writing.length === 0) return null;
  const { reason } = EngineFailure.answered(429, { type: 'cluster_block_exception' });
  return { reason, isFull: writing.every(([id]) => FULL_DISK_BLOCKS.has(id)) };
}
