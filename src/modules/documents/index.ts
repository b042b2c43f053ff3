export { AttemptTraces } from './attempts/attempt-traces.repository.js';
export { BulkResult, DocumentIds } from './changes/bulk.dto.js';
export { DocumentChangesRepository } from './changes/document-changes.repository.js';
export { toBulkResult } from './changes/document-operations.service.js';
export { DocumentUpdatesService } from './changes/document-updates.service.js';
export { DatasetDeletionRun } from './deletion/dataset-deletion-run.task.js';
export { DatasetPurgeRun } from './deletion/dataset-purge-run.task.js';
export { documentErrors } from './documents.errors.js';
export { DatasetContentsModule, DocumentsModule } from './documents.module.js';
export { FileRemoval } from './intents/file-removal.service.js';
export { FILE_REMOVAL, GENERATION_REMOVAL, METADATA_SYNC, type StoreIntentKind } from './intents/store-intent.tasks.js';
export { StoreIntents, type StoreIntent } from './intents/store-intents.repository.js';
export { DocumentTextReader } from './reading/document-text-reader.repository.js';
export { DocumentTextService } from './reading/document-text.service.js';
export { DocumentsService } from './reading/documents.service.js';
export { PartPaths, type ArchivePart, type StoredPart } from './record/archive-part.js';
export { ArchiveParts } from './record/archive-parts.repository.js';
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
} from './record/attempt.js';
export { auditDocuments } from './record/document-audit.js';
export { DocumentCounts } from './record/document-counts.repository.js';
export { DocumentCreationRepository, INGESTION_KIND, TASK_PRIORITY } from './record/document-creation.repository.js';
export { stageCompleted, type NewDocumentEvent } from './record/document-events.repository.js';
export { DocumentLifecycle } from './record/document-lifecycle.repository.js';
export { identityOf } from './record/document-path.js';
export { DocumentRevisionEntity } from './record/document-revision.entity.js';
export { DocumentRevisionsRepository } from './record/document-revisions.repository.js';
export { DocumentTransitions } from './record/document-transitions.service.js';
export { isSplit } from './record/document-views.js';
export {
  DocumentEntity,
  REJECTED_BY_POLICY,
  type DocumentFailure,
  type DocumentRow,
  type DocumentStatusName,
  type DocumentWarning,
  type IngestionStage,
  TEXT_REVISION,
} from './record/document.entity.js';
export { FILTER_FACTS, filterFactsOf, toFilterFacts, type FilterFactsRow } from './record/filter-facts.js';
export { contentOf, isOpen } from './record/open-documents.js';
export { maskedTypesOf, maskFacts, maskName, type MaskedTypes } from './record/masked-facts.js';
export {
  forgetStagedTexts,
  forgetTexts,
  guardContent,
  sealTexts,
  showStagedText,
} from './record/revision-text-writes.repository.js';
export { SAME_NAME } from './record/same-names.repository.js';
export { FactsQuarantine, type QuarantinedFacts } from './rules/facts-quarantine.port.js';
export { DatasetSpaces } from './spaces/dataset-spaces.repository.js';
export { requireAcceptable } from './uploads/upload-acceptance.js';
export { UploadFormReader, type StoredUpload } from './uploads/upload-form-reader.service.js';
export { budgetWaitOf, laterErrorOf, Postponed, spaceWaitOf } from './waiting/backoff.js';
export { DependencyGate } from './waiting/dependency-gate.js';
export { DependencyGates } from './waiting/dependency-gates.service.js';
export { SpaceWatch } from './waiting/space-watch.service.js';
export { systemContext } from './waiting/system-context.js';
export { WaitingModule } from './waiting/waiting.module.js';
export {
  DATASET_PURGED,
  DOCUMENT_CANCELLED,
  DOCUMENT_COMPLETED,
  DOCUMENT_COMPLETED_WITH_WARNINGS,
  DOCUMENT_DELETED,
  DOCUMENT_FAILED,
  DOCUMENT_QUARANTINED,
  DOCUMENT_RELEASED,
  DOCUMENT_RENAMED,
  type DatasetPurged,
  type DocumentCancelled,
  type DocumentCompleted,
  type DocumentCompletedWithWarnings,
  type DocumentDeleted,
  type DocumentFailed,
  type DocumentQuarantined,
  type DocumentReleased,
  type DocumentRenamed,
} from './documents.events.js';
