import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocumentsModule } from '../documents/index.js';
import { GovernanceModule } from '../governance/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { ArchiveSplitting } from './archive-splitting.js';
import { AttemptEnding } from './attempt-ending.js';
import { Checkpoints } from './checkpoints.js';
import { ChunkEmbedder } from './chunk-embedder.js';
import { ChunkLines } from './chunk-lines.js';
import { ChunkLinesRepository } from './chunk-lines.repository.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import { ChunkSets } from './chunk-sets.js';
import { ChunkStage } from './chunk.stage.js';
import { ContentInspection } from './content-inspection.js';
import { DependencyGates } from './dependency-gates.js';
import { EmbedStage } from './embed.stage.js';
import { FileParser } from './file-parser.js';
import { FormerVectors } from './former-vectors.js';
import { GenerationCleaner } from './generation-cleaner.js';
import { GenerationRemains } from './generation-remains.js';
import { HeldParsing } from './held-parsing.js';
import { IndexWriter } from './index-writer.js';
import { IngestionMetrics } from './ingestion-metrics.js';
import { IngestionPipeline } from './ingestion-pipeline.js';
import { IngestionStages } from './ingestion-stages.js';
import { IngestionSteps } from './ingestion-steps.js';
import { IngestionRunner } from './ingestion-runner.js';
import { IngestionTasksRepository } from './ingestion-tasks.repository.js';
import { IngestionWorker } from './ingestion-worker.js';
import { IntentWork } from './intent-work.js';
import { LostDocuments } from './lost-documents.js';
import { MetadataSync } from './metadata-sync.js';
import { OutdatedMetadata } from './outdated-metadata.js';
import { PartFiles } from './part-files.js';
import { ParseStage } from './parse.stage.js';
import { PlanStage } from './plan.stage.js';
import { LeftStepRows } from './left-step-rows.js';
import { LostTasks } from './lost-tasks.js';
import { Reconciler } from './reconciler.js';
import { ReconcilerRepository } from './reconciler.repository.js';
import { Reconciliation } from './reconciliation.js';
import { ReembeddingOfAll } from './reembedding-of-all.js';
import { ReembeddingRun } from './reembedding-run.js';
import { Reembedding } from './reembedding.js';
import { ReindexRun } from './reindex-run.js';
import { Reindex } from './reindex.js';
import { RevisionTextRepository } from './revision-text.repository.js';
import { ShadowParity } from './shadow-parity.js';
import { ShadowWriter } from './shadow-writer.js';
import { SpaceWaits } from './space-waits.js';
import { SpaceWatch } from './space-watch.js';
import { StepRowsRepository } from './step-rows.repository.js';
import { StepRunner } from './step-runner.js';
import { StepViews } from './step-views.js';
import { StorageSweep } from './storage-sweep.js';
import { StoreFiller } from './store-filler.js';
import { StoreMove } from './store-move.js';
import { StoreParity } from './store-parity.js';
import { UnownedFiles } from './unowned-files.js';
import { UnwantedGenerations } from './unwanted-generations.js';
import { VisibleRows } from './visible-rows.js';
import { WorkFolders } from './work-folders.js';
import { WriteStage } from './write.stage.js';

/** The background work: documents through their stages, and what keeps the stores in line with PostgreSQL. */
@Module({
  imports: [DiscoveryModule, DocumentsModule, GovernanceModule, IngestionPolicyModule],
  providers: [
    ArchiveSplitting,
    PartFiles,
    AttemptEnding,
    Checkpoints,
    ChunkEmbedder,
    ChunkSetRepository,
    ChunkLinesRepository,
    ChunkLines,
    ChunkSets,
    ChunkStage,
    ContentInspection,
    DependencyGates,
    EmbedStage,
    FileParser,
    FormerVectors,
    GenerationCleaner,
    GenerationRemains,
    HeldParsing,
    IndexWriter,
    IngestionMetrics,
    IngestionPipeline,
    IngestionRunner,
    IngestionStages,
    IngestionSteps,
    IngestionTasksRepository,
    IngestionWorker,
    IntentWork,
    LostDocuments,
    MetadataSync,
    OutdatedMetadata,
    ParseStage,
    PlanStage,
    LeftStepRows,
    LostTasks,
    Reconciler,
    ReconcilerRepository,
    Reconciliation,
    Reembedding,
    ReembeddingOfAll,
    ReembeddingRun,
    Reindex,
    ReindexRun,
    RevisionTextRepository,
    ShadowParity,
    ShadowWriter,
    SpaceWaits,
    SpaceWatch,
    StepRowsRepository,
    StepRunner,
    StepViews,
    StorageSweep,
    StoreFiller,
    StoreMove,
    StoreParity,
    UnownedFiles,
    UnwantedGenerations,
    VisibleRows,
    WorkFolders,
    WriteStage,
  ],
})
export class IngestionModule {}
