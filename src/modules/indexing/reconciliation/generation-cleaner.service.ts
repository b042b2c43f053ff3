import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { columnsOf, result, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { removeHiddenChunks } from '../../content/index.js';
import { DatasetSpaces, DocumentEntity, forgetStagedTexts } from '../../documents/index.js';
import { GenerationRemoval } from './generation-removal.service.js';
import { MetadataSync } from '../rows/metadata-sync.service.js';

const STORE_DEADLINE_MS = 30_000;

/** A generation of a document that is to go from the vector store. */
export interface UnwantedGeneration {
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  readonly generation: string;
}

interface GenerationState {
  readonly id: DocumentId;
  readonly generation: string;
  readonly written: boolean;
  readonly shown: boolean;
  readonly lags: boolean;
}

const STATES_OF = statement(
  {
    ...columnsOf(DocumentEntity, 'id'),
    generation: result.bigint,
    written: result.boolean,
    shown: result.boolean,
    lags: result.boolean,
  },
  `SELECT d.id, t.generation, (d.status = 'processing' AND d.fencing_token = t.generation) IS TRUE AS written,
     (d.visible_generation = t.generation) IS TRUE AS shown, d.metadata_seq <> d.stored_metadata_seq AS lags
   FROM unnest($1::uuid[], $2::bigint[]) AS t(id, generation) JOIN documents d ON d.id = t.id WHERE d.deleted_at IS NULL`,
);
const HOLD_COMPLETED = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT id FROM documents WHERE id = ANY($1::uuid[]) AND status = 'completed' ORDER BY id FOR UPDATE`,
);
/** Takes generations out of the vector store that nothing shows and no attempt writes, and what in the database belonged to them. */
@Injectable()
export class GenerationCleaner extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly store: VectorStore,
    private readonly embedder: Embedder,
    private readonly metadata: MetadataSync,
    private readonly remains: GenerationRemoval,
    private readonly spaces: DatasetSpaces,
  ) {
    super(unitOfWork);
  }

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
    const states = await this.statesOf(ctx, targets);
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

  private async statesOf(
    ctx: RequestContext,
    targets: readonly UnwantedGeneration[],
  ): Promise<ReadonlyMap<string, GenerationState>> {
    const rows = await this.query(ctx, STATES_OF, [
      targets.map(({ documentId }) => documentId),
      targets.map(({ generation }) => generation),
    ]);
    return new Map(rows.map((row) => [`${row.id}:${row.generation}`, row]));
  }

  /**
   * Chunks, and texts made for them, that a newer generation has replaced; those of an unfinished attempt stay for its retry. The
   * documents are held meanwhile, so that none begins and takes up a set that is about to go.
   */
  private async removeHidden(ctx: RequestContext, documentIds: readonly DocumentId[]): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager) => {
      const held = await rowsOf(manager, HOLD_COMPLETED, [documentIds]);
      const ids = held.map(({ id }) => id);
      if (ids.length === 0) return;
      await removeHiddenChunks(manager, ids);
      await forgetStagedTexts(manager, ids);
    });
  }
}
