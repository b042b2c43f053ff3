import { Injectable } from '@nestjs/common';
import type { DocumentWarning } from '../../documents/index.js';
import { ArchiveSplitting } from '../archives/archive-splitting.service.js';
import { ChunkSetRepository } from '../../content/index.js';
import { ChunkStage } from './chunk.stage.js';
import type { Stored } from '../attempt/document-states.js';
import { EmbedStage } from './embed.stage.js';
import { ParseStage } from './parse.stage.js';
import { PlanStage } from './plan.stage.js';
import { notEnriched, truncated, zeroChunks } from '../attempt/stage-events.js';
import { WriteStage } from './write.stage.js';

/** The stages of the pipeline in their order, and the checks after the last one. */
@Injectable()
export class IngestionStages {
  constructor(
    readonly plan: PlanStage,
    readonly split: ArchiveSplitting,
    readonly parse: ParseStage,
    readonly chunk: ChunkStage,
    readonly embed: EmbedStage,
    readonly write: WriteStage,
    private readonly sets: ChunkSetRepository,
  ) {}

  /** Properties of a document that are known only at the end of the pipeline. */
  async findWarnings(document: Stored): Promise<DocumentWarning[]> {
    if (document.set.chunk_count === 0) return [zeroChunks()];
    const { maxInputTokens } = document.journal.embedder.descriptor;
    const warnings = await this.findMissingLines(document);
    const longer = await this.countLongerThan(document, maxInputTokens);
    return longer === 0 ? warnings : [...warnings, truncated(longer, maxInputTokens)];
  }

  private async findMissingLines({ chunks, policy, journal, set, lineFailure }: Stored): Promise<DocumentWarning[]> {
    if (policy.enrichment.context === 'off') return [];
    const missing =
      chunks.kind === 'held'
        ? chunks.rows.filter(({ context }) => context === null).length
        : await this.sets.countWithoutContext(journal.run.ctx, set.id);
    return missing === 0 ? [] : [notEnriched(missing, set.chunk_count, lineFailure)];
  }

  private async countLongerThan({ chunks, policy, journal, set, tooLong }: Stored, limit: number): Promise<number> {
    if (tooLong !== null) return tooLong;
    if (chunks.kind === 'held') return chunks.rows.filter((row) => row.token_count > limit).length;
    if (policy.chunking.strategy !== 'whole' && policy.chunking.chunk_size <= limit) return 0;
    return this.sets.countLongerThan(journal.run.ctx, set.id, limit);
  }
}
