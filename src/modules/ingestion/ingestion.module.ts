import { Module } from '@nestjs/common';
import { ContentModule } from '../content/index.js';
import { DocumentsModule, WaitingModule } from '../documents/index.js';
import { GovernanceModule } from '../governance/index.js';
import { IndexingModule } from '../indexing/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { ArchiveSplitting } from './archives/archive-splitting.js';
import { PartFiles } from './archives/part-files.js';
import { ContentInspection } from './attempt/content-inspection.js';
import { AttemptEnding } from './attempt/attempt-ending.js';
import { WorkFolders } from './attempt/work-folders.js';
import { IngestionTasksRepository } from './claiming/ingestion-tasks.repository.js';
import { ChunkLines } from './enrichment/chunk-lines.js';
import { Checkpoints } from './pipeline/checkpoints.js';
import { ChunkStage } from './pipeline/chunk.stage.js';
import { EmbedStage } from './pipeline/embed.stage.js';
import { FileParser } from './pipeline/file-parser.js';
import { HeldParsing } from './pipeline/held-parsing.js';
import { IngestionPipeline } from './pipeline/ingestion-pipeline.js';
import { IngestionStages } from './pipeline/ingestion-stages.js';
import { ParseStage } from './pipeline/parse.stage.js';
import { PlanStage } from './pipeline/plan.stage.js';
import { WriteStage } from './pipeline/write.stage.js';
import { IngestionMetrics } from './run/ingestion-metrics.js';
import { IngestionRunner } from './run/ingestion-runner.js';
import { IngestionWorker } from './run/ingestion-worker.js';
import { StepRunner } from './steps/step-runner.js';
import { StepViews } from './steps/step-views.js';

/** The background work: documents through their stages. */
@Module({
  imports: [ContentModule, DocumentsModule, GovernanceModule, IndexingModule, IngestionPolicyModule, WaitingModule],
  providers: [
    ArchiveSplitting,
    AttemptEnding,
    Checkpoints,
    ContentInspection,
    ChunkLines,
    ChunkStage,
    EmbedStage,
    FileParser,
    HeldParsing,
    IngestionMetrics,
    IngestionPipeline,
    IngestionRunner,
    IngestionStages,
    IngestionTasksRepository,
    IngestionWorker,
    ParseStage,
    PartFiles,
    PlanStage,
    StepRunner,
    StepViews,
    WorkFolders,
    WriteStage,
  ],
})
export class IngestionModule {}
