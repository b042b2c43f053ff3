import type { Relevance } from './metrics.js';
import type { RelevantItem } from '../cases/evaluation-case.js';
import { foldText } from '../cases/folded-text.js';

/** A result as far as relevance needs it. */
export interface JudgedResult {
  readonly documentId: string;
  /** The archive that the document is a file of. */
  readonly archiveId: string | null;
  readonly chunkId: string;
  readonly text: string;
}

/** A ranking as the metrics take it, and which results are relevant. */
export interface JudgedRanking {
  readonly ranked: readonly string[];
  readonly relevant: Relevance;
  /** For each result whether it is relevant. */
  readonly isRelevant: readonly boolean[];
}

/**
 * Judges results by the items of a case. An item is found by the first result that meets it. Further results that meet only found items, such as
 * further chunks of a document, take no rank of their own. Where all items are documents, every other document takes one rank; otherwise every
 * chunk does. The id of an archive means its files.
 */
export function judgeResults(items: readonly RelevantItem[], results: readonly JudgedResult[]): JudgedRanking {
  const texts = items.map(({ text }) => (text === undefined ? undefined : foldText(text)));
  const byDocument = items.every(({ chunk_id, text }) => chunk_id === undefined && text === undefined);
  const relevant = new Map(items.map((_, index) => [`item:${index}`, 1]));
  const ranked = new Set<string>();
  const isRelevant: boolean[] = [];
  for (const result of results) {
    const folded = texts.some((text) => text !== undefined) ? foldText(result.text) : '';
    const met = items.flatMap((item, index) => (meets(item, texts[index], result, folded) ? [`item:${index}`] : []));
    isRelevant.push(met.length > 0);
    for (const id of met) ranked.add(id);
    if (met.length === 0) ranked.add(byDocument ? result.documentId : result.chunkId);
  }
  return { ranked: [...ranked], relevant, isRelevant };
}

function meets(item: RelevantItem, text: string | undefined, result: JudgedResult, folded: string): boolean {
  return (
    (item.document_id === undefined || [result.documentId, result.archiveId].includes(item.document_id)) &&
    (item.chunk_id === undefined || item.chunk_id === result.chunkId) &&
    (text === undefined || folded.includes(text))
  );
}
