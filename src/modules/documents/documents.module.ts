import { Global, Module } from '@nestjs/common';
import { DatasetContents, DatasetsModule } from '../datasets/index.js';
import { IngestionPolicyModule, PolicyUsage } from '../ingestion-policy/index.js';
import { TenantBytes } from '../usage/index.js';
import { DatasetContentsRepository } from './dataset-contents.repository.js';
import { DatasetDeletion } from './dataset-deletion.js';
import { DatasetHealthController } from './dataset-health.controller.js';
import { DatasetHealthRepository } from './dataset-health.repository.js';
import { DatasetHealthService } from './dataset-health.service.js';
import { DatasetPurge } from './dataset-purge.js';
import { DatasetPurgesController } from './dataset-purges.controller.js';
import { DatasetPurgesRepository } from './dataset-purges.repository.js';
import { DatasetPurgesService } from './dataset-purges.service.js';
import { DatasetSpaces } from './dataset-spaces.js';
import { DocumentChangesRepository } from './document-changes.repository.js';
import { DocumentCounts, FoldedDocumentCounts } from './document-counts.js';
import { DocumentCreationRepository } from './document-creation.repository.js';
import { DocumentFeedController } from './document-feed.controller.js';
import { DocumentFeedRepository } from './document-feed.repository.js';
import { DocumentFeedService } from './document-feed.service.js';
import { DocumentFeeds } from './document-feeds.js';
import { DocumentIntake } from './document-intake.js';
import { ArchivePartWrites } from './archive-part-writes.js';
import { ArchiveParts } from './archive-parts.js';
import { AttemptTraces } from './attempt-traces.repository.js';
import { DocumentLifecycle } from './document-lifecycle.js';
import { ArchiveWholesRepository } from './archive-wholes.repository.js';
import { DocumentMovesRepository } from './document-moves.repository.js';
import { DocumentOperationsController } from './document-operations.controller.js';
import { DocumentOperationsService } from './document-operations.service.js';
import { DocumentRevisionsRepository } from './document-revisions.repository.js';
import { DocumentRevisionsService } from './document-revisions.service.js';
import { DocumentTextReader } from './document-text.reader.js';
import { DocumentTextService } from './document-text.service.js';
import { DocumentTransitions } from './document-transitions.js';
import { DocumentUpdatesController } from './document-updates.controller.js';
import { DocumentUpdatesService } from './document-updates.service.js';
import { DocumentUploadsController } from './document-uploads.controller.js';
import { DocumentContentController } from './document-content.controller.js';
import { DocumentPagesController } from './document-pages.controller.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { PoliciesInForce } from './policies-in-force.js';
import { FileRemoval } from './file-removal.js';
import { GenerationFiles } from './generation-files.js';
import { IngestionStatisticsRepository } from './ingestion-statistics.repository.js';
import { IngestionStatisticsService } from './ingestion-statistics.service.js';
import { KeptRevisionsRepository } from './kept-revisions.repository.js';
import { PageBoxesService } from './page-boxes.service.js';
import { PageTextsRepository } from './page-texts.repository.js';
import { PolicyUsageRepository } from './policy-usage.repository.js';
import { ReembeddingsController } from './reembeddings.controller.js';
import { ReembeddingsRepository } from './reembeddings.repository.js';
import { ReembeddingsService } from './reembeddings.service.js';
import { SelectedDocuments } from './selected-documents.js';
import { StoreIntents } from './store-intents.js';
import { TenantStorage } from './tenant-storage.js';
import { TagsRepository } from './tags.repository.js';
import { UploadFormReader } from './upload-form.reader.js';
import { UploadOnce } from './upload-once.js';
import { UploadsTogether } from './uploads-together.js';
import { UploadService } from './upload.service.js';

/** What documents contribute to datasets, ingestion policies and usage, which must not know them. */
@Global()
@Module({
  providers: [
    { provide: DatasetContents, useClass: DatasetContentsRepository },
    { provide: PolicyUsage, useClass: PolicyUsageRepository },
    { provide: TenantBytes, useClass: TenantStorage },
  ],
  exports: [DatasetContents, PolicyUsage, TenantBytes],
})
export class DatasetContentsModule {}

/** Documents: their states, uploads, texts and events. */
@Module({
  imports: [DatasetsModule, IngestionPolicyModule],
  // The description and Swagger UI list routes in this order: what a newcomer needs stands first.
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
    ReembeddingsController,
  ],
  providers: [
    ArchiveParts,
    ArchivePartWrites,
    DatasetDeletion,
    DatasetHealthRepository,
    DatasetHealthService,
    DatasetPurge,
    DatasetPurgesRepository,
    DatasetPurgesService,
    DatasetSpaces,
    DocumentChangesRepository,
    DocumentCounts,
    DocumentCreationRepository,
    DocumentFeedRepository,
    DocumentFeedService,
    DocumentFeeds,
    DocumentIntake,
    AttemptTraces,
    DocumentLifecycle,
    ArchiveWholesRepository,
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
    GenerationFiles,
    IngestionStatisticsRepository,
    IngestionStatisticsService,
    KeptRevisionsRepository,
    PageBoxesService,
    PageTextsRepository,
    ReembeddingsRepository,
    ReembeddingsService,
    SelectedDocuments,
    StoreIntents,
    TagsRepository,
    TenantStorage,
    UploadFormReader,
    UploadOnce,
    UploadsTogether,
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
    GenerationFiles,
    ReembeddingsRepository,
    ReembeddingsService,
    StoreIntents,
    UploadFormReader,
  ],
})
export class DocumentsModule {}
