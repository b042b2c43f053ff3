import type { JsonObject } from '#libs/common';
import { defineTask, TaskHandler, withoutPayload } from '#libs/tasks';
import { DocumentCounts } from './document-counts.repository.js';

const FOLDING_SECONDS = 300;

/** Every five minutes: rows of counts are folded into one for each status. */
export const FOLDING_OF_DOCUMENT_COUNTS = defineTask({
  kind: 'folding_of_document_counts',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => FOLDING_SECONDS,
});

/** Folds the counts of documents. */
@TaskHandler(FOLDING_OF_DOCUMENT_COUNTS)
export class FoldedDocumentCounts implements TaskHandler<object> {
  constructor(private readonly counts: DocumentCounts) {}

  async run(): Promise<JsonObject> {
    return { rows: await this.counts.fold() };
  }
}
