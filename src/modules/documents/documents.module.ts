import { Global, Module } from '@nestjs/common';
import { DatasetContents, DatasetsModule } from '../datasets/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { DatasetContentsRepository } from './dataset-contents.repository.js';
import { DocumentCreationRepository } from './document-creation.repository.js';
import { DocumentLifecycle } from './document-lifecycle.js';
import { DocumentTextReader } from './document-text.reader.js';
import { DocumentTextService } from './document-text.service.js';
import { DocumentContentController } from './document-content.controller.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { UploadFormReader } from './upload-form.reader.js';
import { UploadService } from './upload.service.js';

/** What documents contribute to datasets, which must not know them. */
@Global()
@Module({
  providers: [{ provide: DatasetContents, useClass: DatasetContentsRepository }],
  exports: [DatasetContents],
})
export class DatasetContentsModule {}

/** Documents: their states, uploads, texts and events. */
@Module({
  imports: [DatasetsModule, IngestionPolicyModule],
  controllers: [DocumentContentController, DocumentsController],
  providers: [
    DocumentCreationRepository,
    DocumentLifecycle,
    DocumentTextReader,
    DocumentTextService,
    DocumentsRepository,
    DocumentsService,
    UploadFormReader,
    UploadService,
  ],
  exports: [DocumentLifecycle, DocumentTextReader, DocumentsService],
})
export class DocumentsModule {}
