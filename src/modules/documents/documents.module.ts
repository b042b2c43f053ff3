import { Global, Module } from '@nestjs/common';
import { DocumentSight } from '#libs/http';
import { DatasetContents, DatasetsModule } from '../datasets/index.js';
import { IngestionPolicyModule, PolicyUsage } from '../ingestion-policy/index.js';
import { TenantBytes } from '../usage/index.js';
import { DatasetContentsRepository } from './deletion/dataset-contents.repository.js';
import { DatasetDeletionRun } from './deletion/dataset-deletion-run.task.js';
import { DatasetHealthController } from './health/dataset-health.controller.js';
import { DatasetHealthRepository } from './health/dataset-health.repository.js';
import { DatasetHealthService } from './health/dataset-health.service.js';
import { DatasetPurgeRun } from './deletion/dataset-purge-run.task.js';
import { DatasetPurgesController } from './deletion/dataset-purges.controller.js';
import { DatasetPurgesRepository } from './deletion/dataset-purges.repository.js';
import { DatasetPurgesService } from './deletion/dataset-purges.service.js';
import { DatasetSpaces } from './spaces/dataset-spaces.repository.js';
import { DeletedDocuments } from './deletion/deleted-documents.repository.js';
import { DocumentChangesRepository } from './changes/document-changes.repository.js';
import { DocumentCounts } from './record/document-counts.repository.js';
import { DocumentCreationRepository } from './record/document-creation.repository.js';
import { DocumentFeedController } from './feed/document-feed.controller.js';
import { DocumentFeedRepository } from './feed/document-feed.repository.js';
import { DocumentFeedService } from './feed/document-feed.service.js';
import { DocumentFeeds } from './feed/document-feeds.service.js';
import { DocumentIntake } from './uploads/document-intake.service.js';
import { ArchivePartWrites } from './record/archive-part-writes.repository.js';
import { ArchiveParts } from './record/archive-parts.repository.js';
import { AttemptTraces } from './attempts/attempt-traces.repository.js';
import { DocumentLifecycle } from './record/document-lifecycle.repository.js';
import { WholeArchivesRepository } from './record/whole-archives.repository.js';
import { DocumentMovesRepository } from './record/document-moves.repository.js';
import { DocumentOperationsController } from './changes/document-operations.controller.js';
import { DocumentOperationsService } from './changes/document-operations.service.js';
import { DocumentRevisionsRepository } from './record/document-revisions.repository.js';
import { DocumentRevisionsService } from './reading/document-revisions.service.js';
import { DocumentTextReader } from './reading/document-text-reader.repository.js';
import { DocumentTextService } from './reading/document-text.service.js';
import { DocumentTransitions } from './record/document-transitions.service.js';
import { DocumentUpdatesController } from './changes/document-updates.controller.js';
import { DocumentUpdatesService } from './changes/document-updates.service.js';
import { DocumentUploadsController } from './uploads/document-uploads.controller.js';
import { DocumentContentController } from './reading/document-content.controller.js';
import { DocumentPagesController } from './reading/document-pages.controller.js';
import { DocumentSightRepository } from './deletion/document-sight.repository.js';
import { DocumentsController } from './reading/documents.controller.js';
import { DocumentsRepository } from './record/documents.repository.js';
import { DocumentsService } from './reading/documents.service.js';
import { PoliciesInForce } from './reading/policies-in-force.service.js';
import { FoldedDocumentCounts } from './record/folded-document-counts.task.js';
import { FileRemoval } from './intents/file-removal.service.js';
import { IngestionStatisticsRepository } from './attempts/ingestion-statistics.repository.js';
import { IngestionStatisticsService } from './attempts/ingestion-statistics.service.js';
import { KeptRevisionsRepository } from './reading/kept-revisions.repository.js';
import { PageBoxesService } from './reading/page-boxes.service.js';
import { PageTextsRepository } from './reading/page-texts.repository.js';
import { PolicyUsageRepository } from './health/policy-usage.repository.js';
import { SelectedDocuments } from './changes/selected-documents.repository.js';
import { StoreIntents } from './intents/store-intents.repository.js';
import { TenantStorage } from './record/tenant-storage.repository.js';
import { TagsRepository } from './changes/tags.repository.js';
import { UploadFormReader } from './uploads/upload-form-reader.service.js';
import { IdempotentUploads } from './uploads/idempotent-uploads.service.js';
import { BatchedUploads } from './uploads/batched-uploads.service.js';
import { UploadService } from './uploads/upload.service.js';

/** Implementations of ports of datasets, ingestion policies, usage and idempotency, which must not depend on documents. */
@Global()
@Module({
  providers: [
    { provide: DatasetContents, useClass: DatasetContentsRepository },
    { provide: DocumentSight, useClass: DocumentSightRepository },
    { provide: PolicyUsage, useClass: PolicyUsageRepository },
    { provide: TenantBytes, useClass: TenantStorage },
  ],
  exports: [DatasetContents, DocumentSight, PolicyUsage, TenantBytes],
})
export class DatasetContentsModule {}

/** Documents: their states, uploads, texts and events. */
@Module({
  imports: [DatasetsModule, IngestionPolicyModule],
  // The description and Swagger UI list routes in this order: what a newcomer needs comes first.
  controllers: [
    DocumentUploadsController,
    DocumentsController,
    DocumentContentController,
    DocumentFeedController,
    DocumentPagesController,
    DocumentUpdatesController,
    DocumentOperationsController,
    DatasetHealthController,
    DatasetPurgesController,
  ],
  providers: [
    ArchiveParts,
    ArchivePartWrites,
    DatasetDeletionRun,
    DatasetHealthRepository,
    DatasetHealthService,
    DatasetPurgeRun,
    DatasetPurgesRepository,
    DatasetPurgesService,
    DatasetSpaces,
    DeletedDocuments,
    DocumentChangesRepository,
    DocumentCounts,
    DocumentCreationRepository,
    DocumentFeedRepository,
    DocumentFeedService,
    DocumentFeeds,
    DocumentIntake,
    AttemptTraces,
    DocumentLifecycle,
    WholeArchivesRepository,
    DocumentMovesRepository,
    DocumentOperationsService,
    DocumentRevisionsRepository,
    DocumentRevisionsService,
    DocumentTextReader,
    DocumentTextService,
    DocumentTransitions,
    DocumentUpdatesService,
    DocumentsRepository,
    DocumentsService,
    PoliciesInForce,
    FileRemoval,
    FoldedDocumentCounts,
    IngestionStatisticsRepository,
    IngestionStatisticsService,
    KeptRevisionsRepository,
    PageBoxesService,
    PageTextsRepository,
    SelectedDocuments,
    StoreIntents,
    TagsRepository,
    TenantStorage,
    UploadFormReader,
    IdempotentUploads,
    BatchedUploads,
    UploadService,
  ],
  exports: [
    ArchiveParts,
    AttemptTraces,
    DatasetSpaces,
    DocumentChangesRepository,
    DocumentCounts,
    DocumentCreationRepository,
    DocumentLifecycle,
    DocumentTextReader,
    DocumentTextService,
    DocumentTransitions,
    DocumentsService,
    StoreIntents,
    UploadFormReader,
  ],
})
export class DocumentsModule {}
