import type { RetrievedChunk, SearchWarning } from '../../retrieval/index.js';
import { costOfSource } from './context-budget.js';

/** Most sources that a model is given. */
export const SOURCES_MAX = 20;
/** Ids that a warning names. */
const NAMED_MAX = 10;

/** The search results that a model is given. */
export interface PackedContext {
  /** Best first, each whole: alone, or with the text around it where there is room. */
  readonly chunks: readonly RetrievedChunk[];
  /** Results that the model is not given, because they do not fit or there are too many. */
  readonly leftOut: readonly RetrievedChunk[];
}

/**
 * Packs results by whole chunks, best first; one that does not fit is skipped, and a later one may still fit. Then their surroundings are added,
 * best first, as far as there is room.
 * @param room tokens.
 */
export function packContext(results: readonly RetrievedChunk[], room: number): PackedContext {
  const packed = new Map<RetrievedChunk, RetrievedChunk>();
  let left = room;
  for (const chunk of results) {
    const alone = withoutNeighbours(chunk);
    const cost = costOf(alone);
    if (packed.size >= SOURCES_MAX || cost > left) continue;
    packed.set(chunk, alone);
    left -= cost;
  }
  for (const [chunk, alone] of packed) {
    const more = costOf(chunk) - costOf(alone);
    if (chunk.text.length === alone.text.length || more > left) continue;
    packed.set(chunk, chunk);
    left -= more;
  }
  return { chunks: [...packed.values()], leftOut: results.filter((chunk) => !packed.has(chunk)) };
}

/** Warnings about everything that did not reach the model. */
export function contextWarnings(
  { chunks, leftOut }: PackedContext,
  messages: { readonly given: number; readonly kept: number },
): SearchWarning[] {
  const warnings: SearchWarning[] = [];
  if (leftOut.length > 0) {
    const named = leftOut.slice(0, NAMED_MAX).map(({ chunkId }) => chunkId);
    const rest = leftOut.length > named.length ? ` and ${leftOut.length - named.length} more` : '';
    const detail = `The chat model was given ${chunks.length} of ${chunks.length + leftOut.length} fragments (at most ${SOURCES_MAX}, as many as fit into its context). Left out: ${named.join(', ')}${rest}.`;
    warnings.push({ code: 'CONTEXT_BUDGET', detail });
  }
  const cut = messages.given - messages.kept;
  if (cut > 0) {
    const detail = `The ${cut} oldest of the earlier messages did not fit into the context of the chat model and were left out.`;
    warnings.push({ code: 'HISTORY_CUT', detail });
  }
  return warnings;
}

/** A result as it was found, without the text that the search has read around it. */
export function withoutNeighbours(chunk: RetrievedChunk): RetrievedChunk {
  const { own, start, text } = chunk;
  if (own === undefined || (own.start === start && own.end === chunk.end)) return chunk;
  return { ...chunk, ...own, text: text.slice(own.start - start, own.end - start) };
}

/** A source may be called by its path (`titlesOf`), which is longer. */
function costOf({ text, documentName, documentPath, headingPath }: RetrievedChunk): number {
  return costOfSource({ text, title: documentPath ?? documentName, headings: headingPath });
}
