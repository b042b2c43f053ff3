import type { ChunkId, ChunkSetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { CandidateScorer, ScopedCandidate } from './candidate-scorer.service.js';
import type { Scoring } from '../candidates/scoring.js';
import type { VisibleChunk } from '../candidates/proposed-chunks.js';

interface Scored {
  /** The chunk set that the chunk was scored as a part of. */
  readonly set: ChunkSetId;
  /** Undefined while it is not known, and for a chunk that is gone. */
  candidate: ScopedCandidate | undefined;
}

/** Cache of the scores of one search, so that each chunk is scored once. */
export class CandidateScores {
  private readonly scored = new Map<ChunkId, Scored>();

  /** `scoring` is what they are scored by. */
  constructor(
    private readonly scorer: CandidateScorer,
    private readonly ctx: RequestContext,
    readonly scoring: Scoring,
  ) {}

  /** In the order of `chunks`, without those that are gone or of another chunk set than their document shows. */
  async of(chunks: readonly VisibleChunk[]): Promise<ScopedCandidate[]> {
    await this.add(chunks);
    return chunks.flatMap(({ id }) => this.scored.get(id)?.candidate ?? []);
  }

  private async add(chunks: readonly VisibleChunk[]): Promise<void> {
    const fresh = chunks.filter(({ id, chunkSetId }) => this.scored.get(id)?.set !== chunkSetId);
    for (const { id, chunkSetId: set } of fresh) this.scored.set(id, { set, candidate: undefined });
    for (const candidate of await this.scorer.score(this.ctx, fresh, this.scoring)) {
      const entry = this.scored.get(candidate.id);
      if (entry?.set === candidate.chunkSetId) entry.candidate = candidate;
    }
  }
}
