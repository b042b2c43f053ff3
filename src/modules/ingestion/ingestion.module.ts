import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import { ChunkStage } from './chunk.stage.js';
import { DatasetDeletion } from './dataset-deletion.js';
import { EmbedStage } from './embed.stage.js';
import { IngestionMetrics } from './ingestion-metrics.js';
import { IngestionPipeline } from './ingestion-pipeline.js';
import { IngestionTasksRepository } from './ingestion-tasks.repository.js';
import { IngestionProcessor } from './ingestion.processor.js';
import { MaintenanceTasksRepository } from './maintenance-tasks.repository.js';
import { MaintenanceProcessor } from './maintenance.processor.js';
import { ParseStage } from './parse.stage.js';
import { Reindex } from './reindex.js';
import { RevisionTextRepository } from './revision-text.repository.js';
import { StoreCleaner } from './store-cleaner.js';
import { StrandedTasksSweeper } from './stranded-tasks.sweeper.js';
import { WriteStage } from './write.stage.js';

/** The background work: documents through their stages, and what keeps the stores in line with PostgreSQL. */
@Module({
  imports: [DocumentsModule, IngestionPolicyModule],
  providers: [
    ChunkSetRepository,
    ChunkStage,
    DatasetDeletion,
    EmbedStage,
    IngestionMetrics,
    IngestionPipeline,
    IngestionProcessor,
    IngestionTasksRepository,
    MaintenanceProcessor,
    MaintenanceTasksRepository,
    ParseStage,
    Reindex,
    RevisionTextRepository,
    StoreCleaner,
    StrandedTasksSweeper,
    WriteStage,
  ],
})
export class IngestionModule {}
