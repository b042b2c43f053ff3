import { Module } from '@nestjs/common';
import { DatasetsModule } from '../../datasets/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { IngestionPolicyModule } from '../../ingestion-policy/index.js';
import { ReembeddingsController } from './reembeddings.controller.js';
import { ReembeddingsRepository } from './reembeddings.repository.js';
import { ReembeddingsService } from './reembeddings.service.js';

/** Re-embeddings as callers ask for them: the part of the index that belongs to the API graph, too. */
@Module({
  imports: [DatasetsModule, DocumentsModule, IngestionPolicyModule],
  controllers: [ReembeddingsController],
  providers: [ReembeddingsRepository, ReembeddingsService],
  exports: [ReembeddingsRepository, ReembeddingsService],
})
export class ReembeddingsModule {}
