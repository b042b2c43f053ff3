import { PinoLogger } from 'nestjs-pino';
import { delay, type JsonObject } from '#libs/common';
import { StorePlacements } from '#libs/database';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import {
  indexRef,
  PLACEMENT_LIVES_MS,
  VectorStores,
  type IndexRef,
  type VectorStore,
  type VectorStoreKind,
} from '#libs/vector-store';
import { TenantDirectory } from '../../accounts/index.js';
import { STORE_MOVE, type StoreMovePayload } from '../rows/maintenance.tasks.js';
import { StoreFiller } from './store-filler.service.js';
import { StoreParity } from './store-parity.service.js';
import { systemContext, DatasetSpaces } from '../../documents/index.js';

/** Until every process has seen a change of the placement: it acts on the earlier one no longer than the first figure. */
const SEEN_BY_ALL_MS = PLACEMENT_LIVES_MS + 2_000;
const WAIT_MS = 1_000;

type MoveTask = RunningTask<StoreMovePayload>;
type Progress = Record<'datasets' | 'documents' | 'written' | 'removed' | 'questions' | 'agreed', number>;

/**
 * Moves the running installation to another vector store without a gap in search. Every step can be begun again: the
 * database says how far the installation is.
 */
@TaskHandler(STORE_MOVE)
export class StoreMove implements TaskHandler<StoreMovePayload> {
  constructor(
    private readonly placements: StorePlacements,
    private readonly stores: VectorStores,
    private readonly tenants: TenantDirectory,
    private readonly spaces: DatasetSpaces,
    private readonly filler: StoreFiller,
    private readonly parity: StoreParity,
    private readonly logger: PinoLogger,
  ) {}

  async run(task: MoveTask): Promise<JsonObject> {
    return 'to' in task.payload ? this.move(task, this.toKind(task.payload.to)) : this.finish(task);
  }

  /** Fills `target` while both are written, compares, and lets it answer. The other store stays its shadow until `finish`. */
  private async move(task: MoveTask, target: VectorStoreKind): Promise<JsonObject> {
    const active = await this.activeStore();
    if (active === target) return { active, moved: false };
    const next = await this.stores.storeOf(target);
    await next.ping();
    if (!(await this.placements.beginShadow(active, target))) throw new Error('Another move was quicker; try again.');
    await delay(SEEN_BY_ALL_MS, task.signal);
    const firstToken = await this.placements.noteFirstToken(target);
    const both = [await this.stores.storeOf(active), next] as const;
    for (;;) {
      const waiting = await this.countEarlierAttempts(task, firstToken);
      const progress = await this.fillAll(task, both);
      await task.report({ ...progress, waiting });
      if (waiting === 0 && progress.written === 0) return this.exchange(active, target, progress);
      await delay(WAIT_MS, task.signal);
    }
  }

  /** Ends the double writing and removes the indexes of the store that does not answer. Gives a move up when it is not done yet. */
  private async finish(task: MoveTask): Promise<JsonObject> {
    const active = await this.activeStore();
    const shadow = (await this.placements.read())?.shadow ?? task.progress['former'];
    if (typeof shadow !== 'string' || shadow === active) return { active, dropped: 0 };
    // Kept for anyone who begins again after the next step.
    await task.report({ active, former: shadow });
    await this.placements.endShadow();
    await delay(SEEN_BY_ALL_MS, task.signal);
    const former = await this.stores.storeOf(this.toKind(shadow));
    let dropped = 0;
    for await (const { index } of this.indexes(task)) {
      await former.dropIndex(index);
      dropped += 1;
      await task.report({ active, former: shadow, dropped });
    }
    return { active, former: shadow, dropped };
  }

  private async exchange(active: VectorStoreKind, target: VectorStoreKind, progress: Progress): Promise<JsonObject> {
    if (!this.parity.isEnough(progress)) {
      this.logger.warn({ from: active, to: target, ...progress }, 'store_move.differs');
      return { ...progress, active, moved: false, reason: 'The stores answer differently.' };
    }
    if (!(await this.placements.exchange(active, target))) throw new Error('The move was given up meanwhile.');
    this.logger.info({ from: active, to: target, ...progress }, 'store_move.completed');
    return { ...progress, active: target, moved: true };
  }

  /** One look at every index of every tenant. */
  private async fillAll(task: MoveTask, both: readonly [now: VectorStore, next: VectorStore]): Promise<Progress> {
    const progress: Progress = { datasets: 0, documents: 0, written: 0, removed: 0, questions: 0, agreed: 0 };
    for await (const { ctx, index } of this.indexes(task)) {
      let position = 0;
      for await (const filled of this.filler.fill(ctx, both[1], index)) {
        progress.documents += filled.documents.length;
        progress.written += filled.written;
        progress.removed += filled.removed;
        for (const document of filled.documents) {
          if (!this.parity.isSampled(position++)) continue;
          const { questions, agreed } = await this.parity.compare(ctx, both, index, document);
          progress.questions += questions;
          progress.agreed += agreed;
        }
      }
      progress.datasets += 1;
      await task.report({ ...progress });
    }
    return progress;
  }

  /** Every index that any dataset of any tenant may have. */
  private async *indexes(task: MoveTask): AsyncGenerator<{ ctx: RequestContext; index: IndexRef }> {
    for (const tenantId of await this.tenants.list()) {
      const ctx = systemContext(tenantId, task.id);
      for (const datasetId of await this.filler.listDatasets(ctx)) {
        for (const space of await this.spaces.list(ctx, datasetId)) {
          yield { ctx, index: indexRef(ctx, datasetId, space) };
        }
      }
    }
  }

  private async countEarlierAttempts(task: MoveTask, token: string): Promise<number> {
    let count = 0;
    for (const tenantId of await this.tenants.list()) {
      count += await this.filler.countAttemptsBefore(systemContext(tenantId, task.id), token);
    }
    return count;
  }

  private async activeStore(): Promise<VectorStoreKind> {
    const placement = await this.placements.read();
    return placement === undefined ? this.stores.initial : this.toKind(placement.active);
  }

  private toKind(name: string): VectorStoreKind {
    if (!this.stores.kinds.includes(name)) throw new Error(`There is no vector store ${name}`);
    return name;
  }
}
