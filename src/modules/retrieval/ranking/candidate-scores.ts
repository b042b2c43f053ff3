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

/** The scores of one search. Those of chunks that are known early are made while others are still sought. */
export class CandidateScores {
  private readonly scored = new Map<ChunkId, Scored>();
  private ahead: Promise<unknown> = Promise.resolve();

  /** `scoring` is what they are scored by; it may still be on its way. */
  constructor(
    private readonly scorer: CandidateScorer,
    private readonly ctx: RequestContext,
    readonly scoring: Promise<Scoring>,
  ) {
    scoring.catch(() => undefined);
  }

  /** Begins with chunks that may be asked for. That it failed shows when they are. */
  begin(chunks: readonly VisibleChunk[]): void {
    this.ahead = Promise.all([this.ahead, this.add(chunks)]);
    this.ahead.catch(() => undefined);
  }

  /** In the order of `chunks`, without those that are gone or of another chunk set than their document shows. */
  async of(chunks: readonly VisibleChunk[]): Promise<ScopedCandidate[]> {
    await this.ahead;
    await this.add(chunks);
    return chunks.flatMap(({ id }) => this.scored.get(id)?.candidate ?? []);
  }

  private async add(chunks: readonly VisibleChunk[]): Promise<void> {
    const fresh = chunks.filter(({ id, chunkSetId }) => this.scored.get(id)?.set !== chunkSetId);
    for (const { id, chunkSetId: set } of fresh) this.scored.set(id, { set, candidate: undefined });
    for (const candidate of await this.scorer.score(this.ctx, fresh, await this.scoring)) {
      const entry = this.scored.get(candidate.id);
      if (entry?.set === candidate.chunkSetId) entry.candidate = candidate;
    }
  }
}
