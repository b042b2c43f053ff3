export { AttemptTraces, type StoredMetadata } from './attempt-traces.repository.js';
export { DocumentRevisionsRepository } from './document-revisions.repository.js';
export { DocumentRevisionEntity } from './document-revision.entity.js';
export {
  DOCUMENT_STATUSES,
  DocumentEntity,
  REJECTED_BY_POLICY,
  type DocumentFailure,
  type DocumentRow,
  type DocumentStatusName,
  type DocumentWarning,
  type IngestionStage,
  TEXT_REVISION,
} from './document.entity.js';
export {
  AttemptEnded,
  type AdvancedAttempt,
  type Attempt,
  type BegunDocument,
  type CompletedAttempt,
  type FinishedStage,
  type GivenBack,
  type ParsedFacts,
  type Wait,
} from './attempt.js';
export { ArchiveParts } from './archive-parts.js';
export { PartPaths, type ArchivePart, type StoredPart } from './archive-part.js';
export { followsParts } from './archive-settling.js';
export { isSplit } from './document-views.js';
export { requireAcceptable } from './upload-acceptance.js';
export { stageCompleted, type NewDocumentEvent } from './document-events.js';
export { DocumentChangesRepository } from './document-changes.repository.js';
export { DocumentLifecycle } from './document-lifecycle.js';
export { auditDocuments } from './document-audit.js';
export { toBulkResult } from './document-operations.service.js';
export { DocumentTextService } from './document-text.service.js';
export { DocumentCounts } from './document-counts.js';
export { DocumentTextReader } from './document-text.reader.js';
export { DocumentTransitions } from './document-transitions.js';
export type { MoveOutcome, RejectedMove } from './move-outcome.js';
export { BulkRejection, BulkResult, DocumentIds } from './dto/bulk.dto.js';
export { documentErrors } from './documents.errors.js';
export { DatasetContentsModule, DocumentsModule } from './documents.module.js';
export { UploadFormReader, type StoredUpload } from './upload-form.reader.js';
export { DocumentUpdatesService } from './document-updates.service.js';
export { DocumentsService } from './documents.service.js';
export { ReembeddingsRepository, type ReembeddingRow } from './reembeddings.repository.js';
export { ReembeddingsService } from './reembeddings.service.js';
export type { ReembeddingParity } from './dto/reembedding.dto.js';
export { identityOf } from './document-path.js';
export { SAME_NAME } from './same-names.js';
export { FILTER_FACTS, filterFactsOf, toFilterFacts, type FilterFactsRow } from './filter-facts.js';
export { DocumentCreationRepository, INGESTION_KIND, TASK_PRIORITY } from './document-creation.repository.js';
export {
  forgetStagedTexts,
  forgetTexts,
  guardContent,
  sealTexts,
  showStagedText,
  type RevisionTextFacts,
} from './revision-text-writes.js';
export { FactsQuarantine, type QuarantinedFacts } from './facts-quarantine.port.js';
export { maskedTypesOf, maskFacts, maskName, type MaskedTypes } from './masked-facts.js';
export { DatasetDeletion } from './dataset-deletion.js';
export { DatasetPurge } from './dataset-purge.js';
export { GenerationFiles, type GenerationOfDocument } from './generation-files.js';
export { FileRemoval } from './file-removal.js';
export { DatasetSpaces } from './dataset-spaces.js';
export { REEMBEDDING, type ReembeddingPayload } from './reembedding.task.js';
export { StoreIntents, type StoreIntent } from './store-intents.js';
export { FILE_REMOVAL, GENERATION_REMOVAL, METADATA_SYNC, type StoreIntentKind } from './store-intent.tasks.js';
