import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import type { DocumentWarning } from '../documents/index.js';
import { IngestionPolicies, type IngestionPolicy } from '../ingestion-policy/index.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import { ChunkStage } from './chunk.stage.js';
import type { Planned, Stored } from './document-states.js';
import { EmbedStage } from './embed.stage.js';
import type { Journal } from './journal.js';
import { ParseStage } from './parse.stage.js';
import { RevisionTextRepository } from './revision-text.repository.js';
import { truncated, zeroChunks } from './stage-events.js';
import { WriteStage } from './write.stage.js';

/** The stages of the pipeline in their order, and what is asked before the first and after the last one. */
@Injectable()
export class IngestionStages {
  constructor(
    readonly parse: ParseStage,
    readonly chunk: ChunkStage,
    readonly embed: EmbedStage,
    readonly write: WriteStage,
    readonly texts: RevisionTextRepository,
    private readonly policies: IngestionPolicies,
    private readonly sets: ChunkSetRepository,
    private readonly embedder: Embedder,
  ) {}

  /** The policy and the file of each document. */
  async plan(ctx: RequestContext, journals: readonly Journal[]): Promise<Planned[]> {
    const ids = journals.map(({ run }) => run.document.revision_id);
    const revisions = new Map((await this.texts.list(ctx, ids)).map((revision) => [revision.id, revision]));
    const policies = new Map<number, IngestionPolicy>();
    const planned: Planned[] = [];
    for (const journal of journals) {
      const { dataset_id: datasetId, policy_version: version, revision_id: revisionId } = journal.run.document;
      const policy = policies.get(version) ?? (await this.policies.version(ctx, datasetId, version)).policy;
      policies.set(version, policy);
      const revision = revisions.get(revisionId);
      if (revision === undefined) throw new Error(`Revision ${revisionId} is gone.`);
      planned.push({ state: 'planned', journal, policy, revision });
    }
    return planned;
  }

  /** What only the end of the pipeline knows about a document. */
  async findWarnings(document: Stored): Promise<DocumentWarning[]> {
    if (document.set.chunk_count === 0) return [zeroChunks()];
    const { maxInputTokens } = this.embedder.descriptor;
    const longer = await this.countLongerThan(document, maxInputTokens);
    return longer === 0 ? [] : [truncated(longer, maxInputTokens)];
  }

  private async countLongerThan({ chunks, policy, journal, set }: Stored, limit: number): Promise<number> {
    if (chunks.kind === 'held') return chunks.rows.filter((row) => row.token_count > limit).length;
    if (policy.chunking.strategy !== 'whole' && policy.chunking.chunk_size <= limit) return 0;
    return this.sets.countLongerThan(journal.run.ctx, set.id, limit);
  }
}
