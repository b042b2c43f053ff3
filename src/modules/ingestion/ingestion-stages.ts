import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { AttemptRun } from './attempt-run.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import type { ChunkSet } from './chunk-sets.js';
import { ChunkStage } from './chunk.stage.js';
import { EmbedStage } from './embed.stage.js';
import { ParseStage } from './parse.stage.js';
import { RevisionTextRepository } from './revision-text.repository.js';
import { truncated, zeroChunks } from './stage-events.js';
import { WriteStage } from './write.stage.js';

/** The stages of the pipeline in their order. */
@Injectable()
export class IngestionStages {
  constructor(
    readonly parse: ParseStage,
    readonly chunk: ChunkStage,
    readonly embed: EmbedStage,
    readonly write: WriteStage,
    readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSetRepository,
    private readonly embedder: Embedder,
  ) {}

  /** What only the end of the pipeline knows about a document. */
  async findWarnings({ ctx, policy }: AttemptRun, set: ChunkSet): Promise<AttemptRun['warnings']> {
    if (set.chunk_count === 0) return [zeroChunks()];
    const { maxInputTokens } = this.embedder.descriptor;
    if (policy.chunking.strategy !== 'whole' && policy.chunking.chunk_size <= maxInputTokens) return [];
    const longer = await this.sets.countLongerThan(ctx, set.id, maxInputTokens);
    return longer === 0 ? [] : [truncated(longer, maxInputTokens)];
  }
}
