import type { Schema } from '../api/client';
import { t } from '../texts/i18n';

export type Citation = Pick<
  Schema<'ChatCitation'>,
  'dataset_id' | 'document_id' | 'source_char_start' | 'source_char_end' | 'page'
>;

/** A citation with the revision of the document that was cited. */
export type RevisedCitation = Citation & Pick<Schema<'ChatCitation'>, 'revision'>;

/** A stretch of the canonical text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A source that is not cited, as a place of its document. */
export const passageOf = (source: Schema<'ChatAnswerSource'>): RevisedCitation => ({
  ...source,
  source_char_start: source.char_start,
  source_char_end: source.char_end,
});

/** Where a citation stands. */
export const placeOf = ({ source_char_start: from, source_char_end: to }: Citation): Place => ({ from, to });

/** The document, opened at the place that is cited. */
export function placeAddress(citation: Citation): string {
  const { dataset_id: dataset, document_id: document, source_char_start: from, source_char_end: to, page } = citation;
  return `/d/${dataset}/documents/${document}?from=${from}&to=${to}${page === null ? '' : `&page=${page}`}`;
}

/** "p. 11, revision 2": a first revision, which most documents have alone, is not worth a word. */
export function whereOf({ page, revision }: { readonly page: number | null; readonly revision: number }): string {
  const parts = [
    page === null ? '' : t('place.page', { page }),
    revision === 1 ? '' : t('document.revision', { revision }),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Why the answer to a question lacks what was expected; `query` is what was searched for, where it is known. */
export function whyAddress(datasetId: string, question: string, query = question): string {
  const search = new URLSearchParams({
    q: query,
    purpose: 'chat',
    ...(query.trim() === question.trim() ? {} : { follow_up: 'yes' }),
  });
  return `/d/${datasetId}/why?${search.toString()}`;
}

/** Why the search of an address did not find what was expected: with the same question and the same options. */
export function whyOf(datasetId: string, search: URLSearchParams): string {
  const address = new URLSearchParams(search);
  for (const name of ['before', 'look', 'compare']) address.delete(name);
  return `/d/${datasetId}/why?${address.toString()}`;
}

/** What a list of documents is filtered by, as its address and the interface call it. */
export type DocumentsFilter = Partial<
  Record<'state' | 'searchable' | 'error_code' | 'warning_code' | 'waiting_reason' | 'outdated', string>
>;

/** The documents of a dataset that a number stands for. */
export function documentsAddress(datasetId: string, filter: DocumentsFilter): string {
  return `/d/${datasetId}/documents?${new URLSearchParams(filter).toString()}`;
}

/** What came of asking test cases. */
export const evaluationAddress = (datasetId: string, jobId: string): string => `/d/${datasetId}/evaluations/${jobId}`;
