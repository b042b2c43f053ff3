import { Module } from '@nestjs/common';
import { DatasetsModule } from '../../datasets/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { IngestionPolicyModule } from '../../ingestion-policy/index.js';
import { DryRunController } from './dry-run.controller.js';
import { DryRunRepository } from './dry-run.repository.js';
import { DryRunService } from './dry-run.service.js';
import { RevisionTextRepository } from '../../content/index.js';

/** Dry runs of policies: the part of ingestion that runs in API processes, because callers wait for it. */
@Module({
  imports: [DatasetsModule, DocumentsModule, IngestionPolicyModule],
  controllers: [DryRunController],
  providers: [DryRunRepository, DryRunService, RevisionTextRepository],
})
export class DryRunModule {}
