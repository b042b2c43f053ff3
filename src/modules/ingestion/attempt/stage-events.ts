import type { ChunkSet } from '../../content/index.js';
import type { StageTime } from './journal.js';
import { STAGE_SPAN } from './attempt-run.js';
import type { DocumentWarning, FinishedStage, NewDocumentEvent } from '../../documents/index.js';
import type { Parsed } from './document-states.js';

/** Timeline events of stages; the same for documents that are processed alone or in a group. */

/** Also says whether an earlier attempt made the text. */
export function parsed({ text, isResumed }: Parsed, time: StageTime): FinishedStage {
  const { facts, length } = text;
  const details = {
    ...(isResumed ? { resumed: true } : {}),
    ...(facts === null ? {} : { media_type: facts.media_type }),
    characters: length,
    ...time,
  };
  return { stage: 'parsing', progress: STAGE_SPAN.parsing.to, details, ...(facts === null ? {} : { facts }) };
}

export function chunked(chunks: number, time: StageTime): FinishedStage {
  return { stage: 'chunking', progress: STAGE_SPAN.chunking.to, details: { chunks, ...time } };
}

export function embedded(count: number, space: string, time: StageTime): FinishedStage {
  return { stage: 'embedding', progress: STAGE_SPAN.embedding.to, details: { embedded: count, space, ...time } };
}

/** The end of the last stage and of the attempt, which took `totalMs`. */
export function completed(
  set: Pick<ChunkSet, 'chunk_count' | 'token_count'>,
  warnings: readonly DocumentWarning[],
  { totalMs, ...time }: StageTime & { readonly totalMs: number },
): NewDocumentEvent[] {
  const totals = { chunks: set.chunk_count, tokens: Number(set.token_count), ms: totalMs };
  return [
    { event: 'stage_completed', stage: 'vector_write', details: { rows: set.chunk_count, ...time } },
    ...warnings.map((warning) => ({ event: 'warning', details: { ...warning } }) as const),
    { event: 'completed', details: totals },
  ];
}

export function zeroChunks(): DocumentWarning {
  return {
    code: 'ZERO_CHUNKS',
    detail: 'The document contains no text that can be searched, so no search can find it.',
  };
}

/** Warning that some chunks are longer than the embedding model can read. */
export function truncated(chunks: number, maxTokens: number): DocumentWarning {
  return {
    code: 'TRUNCATED',
    detail: `${chunks} chunks are longer than the ${maxTokens} tokens that the embedding model reads; the rest of each is found by its words only.`,
  };
}

/** Warning that some chunks have no line about their place in the document; all chunks are searchable. */
export function notEnriched(missing: number, chunks: number, reason: string | null): DocumentWarning {
  const why = reason === null ? '' : ` (${reason})`;
  const detail = `${missing} of ${chunks} chunks have no line about their place in the document${why}. Searches find them without it; a reingest requests the missing lines.`;
  return { code: 'ENRICHMENT_FAILED', detail };
}
