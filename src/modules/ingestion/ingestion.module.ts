import { Module } from '@nestjs/common';
import { ContentModule } from '../content/index.js';
import { DocumentsModule, WaitingModule } from '../documents/index.js';
import { GovernanceModule } from '../governance/index.js';
import { IndexingModule } from '../indexing/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { ArchiveSplitting } from './archives/archive-splitting.service.js';
import { PartFiles } from './archives/part-files.service.js';
import { ContentInspection } from './attempt/content-inspection.service.js';
import { AttemptEnding } from './attempt/attempt-ending.service.js';
import { WorkFolders } from './attempt/work-folders.service.js';
import { IngestionTasksRepository } from './claiming/ingestion-tasks.repository.js';
import { ChunkLines } from './enrichment/chunk-lines.service.js';
import { Checkpoints } from './pipeline/checkpoints.service.js';
import { ChunkStage } from './pipeline/chunk.stage.js';
import { EmbedStage } from './pipeline/embed.stage.js';
import { FileParser } from './pipeline/file-parser.service.js';
import { HeldParsing } from './pipeline/held-parsing.service.js';
import { IngestionPipeline } from './pipeline/ingestion-pipeline.service.js';
import { IngestionStages } from './pipeline/ingestion-stages.service.js';
import { ParseStage } from './pipeline/parse.stage.js';
import { PlanStage } from './pipeline/plan.stage.js';
import { WriteStage } from './pipeline/write.stage.js';
import { IngestionMetrics } from './run/ingestion-metrics.service.js';
import { IngestionRunner } from './run/ingestion-runner.service.js';
import { IngestionWorker } from './run/ingestion-worker.service.js';
import { StepRunner } from './steps/step-runner.service.js';
import { StepViews } from './steps/step-views.service.js';

/** Takes documents through the stages of ingestion, in the background. */
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
