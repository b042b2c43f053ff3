export {
  DOCUMENT_STATUSES,
  type DocumentFailure,
  type DocumentRow,
  type DocumentStatusName,
  type DocumentWarning,
  type IngestionStage,
} from './document.entity.js';
export { AttemptEnded, type Attempt, type FinishedStage } from './attempt.js';
export { DocumentLifecycle } from './document-lifecycle.js';
export { DocumentTextReader } from './document-text.reader.js';
export { documentErrors } from './documents.errors.js';
export { DatasetContentsModule, DocumentsModule } from './documents.module.js';
export { DocumentsService } from './documents.service.js';
export { toFilterFacts, type FilterFactsRow } from './filter-facts.js';
