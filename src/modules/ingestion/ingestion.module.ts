import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocumentsModule } from '../documents/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { AttemptEnding } from './attempt-ending.js';
import { Checkpoints } from './checkpoints.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import { ChunkSets } from './chunk-sets.js';
import { ChunkStage } from './chunk.stage.js';
import { DatasetDeletion } from './dataset-deletion.js';
import { DatasetPurge } from './dataset-purge.js';
import { DatasetSpaces } from './dataset-spaces.js';
import { DependencyGates } from './dependency-gates.js';
import { EmbedStage } from './embed.stage.js';
import { ExpiredRequests } from './expired-requests.js';
import { FileParser } from './file-parser.js';
import { FormerVectors } from './former-vectors.js';
import { GenerationCleaner } from './generation-cleaner.js';
import { HeldParsing } from './held-parsing.js';
import { IndexWriter } from './index-writer.js';
import { IngestionMetrics } from './ingestion-metrics.js';
import { IngestionPipeline } from './ingestion-pipeline.js';
import { IngestionStages } from './ingestion-stages.js';
import { IngestionSteps } from './ingestion-steps.js';
import { IngestionRunner } from './ingestion-runner.js';
import { IngestionTasksRepository } from './ingestion-tasks.repository.js';
import { IngestionProcessor } from './ingestion.processor.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LostDocuments } from './lost-documents.js';
import { MaintenanceTasksRepository } from './maintenance-tasks.repository.js';
import { MaintenanceProcessor } from './maintenance.processor.js';
import { MetadataSync } from './metadata-sync.js';
import { ParseStage } from './parse.stage.js';
import { ReconcilerSchedule } from './reconciler-schedule.js';
import { Reconciler } from './reconciler.js';
import { ReconcilerRepository } from './reconciler.repository.js';
import { Reembedding } from './reembedding.js';
import { ReembeddingRuns } from './reembedding-runs.js';
import { ReindexRuns } from './reindex-runs.js';
import { Reindex } from './reindex.js';
import { RevisionTextRepository } from './revision-text.repository.js';
import { ShadowParity } from './shadow-parity.js';
import { ShadowWriter } from './shadow-writer.js';
import { StepRowsRepository } from './step-rows.repository.js';
import { StepRunner } from './step-runner.js';
import { StepViews } from './step-views.js';
import { StoreCleaner } from './store-cleaner.js';
import { StoreFiller } from './store-filler.js';
import { StoreMove } from './store-move.js';
import { StoreParity } from './store-parity.js';
import { StrandedTasksSweeper } from './stranded-tasks.sweeper.js';
import { VisibleRows } from './visible-rows.js';
import { WorkFolders } from './work-folders.js';
import { WriteStage } from './write.stage.js';

/** The background work: documents through their stages, and what keeps the stores in line with PostgreSQL. */
@Module({
  imports: [DiscoveryModule, DocumentsModule, IngestionPolicyModule],
  providers: [
    AttemptEnding,
    Checkpoints,
    ChunkSetRepository,
    ChunkSets,
    ChunkStage,
    DatasetDeletion,
    DatasetPurge,
    DatasetSpaces,
    DependencyGates,
    EmbedStage,
    ExpiredRequests,
    FileParser,
    FormerVectors,
    GenerationCleaner,
    HeldParsing,
    IndexWriter,
    IngestionMetrics,
    IngestionPipeline,
    IngestionProcessor,
    IngestionRunner,
    IngestionStages,
    IngestionSteps,
    IngestionTasksRepository,
    LeaseKeeper,
    LostDocuments,
    MaintenanceProcessor,
    MaintenanceTasksRepository,
    MetadataSync,
    ParseStage,
    Reconciler,
    ReconcilerRepository,
    ReconcilerSchedule,
    Reembedding,
    ReembeddingRuns,
    Reindex,
    ReindexRuns,
    RevisionTextRepository,
    ShadowParity,
    ShadowWriter,
    StepRowsRepository,
    StepRunner,
    StepViews,
    StoreCleaner,
    StoreFiller,
    StoreMove,
    StoreParity,
    StrandedTasksSweeper,
    VisibleRows,
    WorkFolders,
    WriteStage,
  ],
})
export class IngestionModule {}
