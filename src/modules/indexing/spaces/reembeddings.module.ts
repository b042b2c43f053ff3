import { Module } from '@nestjs/common';
import { DatasetsModule } from '../../datasets/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { IngestionPolicyModule } from '../../ingestion-policy/index.js';
import { ReembeddingsController } from './reembeddings.controller.js';
import { ReembeddingsRepository } from './reembeddings.repository.js';
import { ReembeddingsService } from './reembeddings.service.js';

/** Requests and reads of re-embeddings: the part of indexing that API processes need too. */
@Module({
  imports: [DatasetsModule, DocumentsModule, IngestionPolicyModule],
  controllers: [ReembeddingsController],
  providers: [ReembeddingsRepository, ReembeddingsService],
  exports: [ReembeddingsRepository, ReembeddingsService],
})
export class ReembeddingsModule {}
