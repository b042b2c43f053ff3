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

/** Takes generations out of the vector store that nothing shows and no attempt writes, and what in the database belonged to them. */
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
   * Removes generations of one dataset in one commit. Gives those that cannot be removed yet: while a document is still a
   * generation's attempt's, that may write, and show what it wrote, even when its lease has run out. Once that is over it never
   * comes back, so a removal that begins afterwards is safe.
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
   * Chunks, and texts made for them, that a newer generation has replaced; those of an unfinished attempt stay for its retry. The
   * documents are held meanwhile, so that none begins and takes up a set that is about to go.
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
