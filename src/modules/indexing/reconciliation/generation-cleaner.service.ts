import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { removeHiddenChunks } from '../../content/index.js';
import { DatasetSpaces, forgetStagedTexts } from '../../documents/index.js';
import { GenerationRemoval } from './generation-removal.service.js';
import { GenerationStates, type GenerationState, type UnwantedGeneration } from './generation-states.repository.js';
import { MetadataSync } from '../rows/metadata-sync.service.js';

const STORE_DEADLINE_MS = 30_000;

/** Removes generations that are neither shown nor being written from the vector store, with their data in the database. */
@Injectable()
export class GenerationCleaner {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly states: GenerationStates,
    private readonly store: VectorStore,
    private readonly embedder: Embedder,
    private readonly metadata: MetadataSync,
    private readonly remains: GenerationRemoval,
    private readonly spaces: DatasetSpaces,
  ) {}

  /**
   * Removes generations of one dataset in one commit. Resolves to those that cannot be removed yet: as long as the attempt of a generation
   * is valid, it may write and show rows, even if its lease has expired. Once an attempt has become invalid it stays so, and a removal is
   * safe.
   */
  async remove(
    ctx: RequestContext,
    datasetId: DatasetId,
    targets: readonly UnwantedGeneration[],
  ): Promise<ReadonlySet<UnwantedGeneration>> {
    const states = await this.states.find(ctx, targets);
    const stateOf = ({ documentId, generation }: UnwantedGeneration): GenerationState | undefined =>
      states.get(`${documentId}:${generation}`);
    const gone = targets.filter((target) => stateOf(target)?.written !== true && stateOf(target)?.shown !== true);
    if (gone.length > 0) {
      const generations = gone.map(({ documentId, generation }) => ({ documentId, generation }));
      const recorded = await this.spaces.list(ctx, datasetId);
      for (const space of new Set([this.embedder.descriptor.space, ...recorded])) {
        await this.store.remove(indexRef(ctx, datasetId, space), { generations }, { deadlineMs: STORE_DEADLINE_MS });
      }
      const absent = gone.filter((target) => stateOf(target) === undefined).map(({ documentId }) => documentId);
      if (!(await this.remains.remove(ctx, generations, new Set(absent)))) return new Set(targets);
      await this.removeHidden(
        ctx,
        gone.map(({ documentId }) => documentId),
      );
      for (const target of gone)
        if (stateOf(target)?.lags === true) await this.metadata.followUp(ctx, target.documentId);
    }
    return new Set(targets.filter((target) => stateOf(target)?.written === true));
  }

  /**
   * Removes chunks and their texts that a newer generation has replaced; those of an unfinished attempt stay for its retry. The documents
   * are locked meanwhile, so that no attempt begins and reuses a set that is being removed.
   */
  private async removeHidden(ctx: RequestContext, documentIds: readonly DocumentId[]): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      const ids = await this.states.holdCompleted(inner, documentIds);
      if (ids.length === 0) return;
      await removeHiddenChunks(manager, ids);
      await forgetStagedTexts(manager, ids);
    });
  }
}
