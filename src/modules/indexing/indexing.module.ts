import { Module } from '@nestjs/common';
import { ContentModule } from '../content/index.js';
import { DocumentsModule, WaitingModule } from '../documents/index.js';
import { FileOwners } from './reconciliation/file-owners.repository.js';
import { GenerationCleaner } from './reconciliation/generation-cleaner.service.js';
import { GenerationRemoval } from './reconciliation/generation-removal.service.js';
import { GenerationStates } from './reconciliation/generation-states.repository.js';
import { OrphanedStepRows } from './reconciliation/orphaned-step-rows.service.js';
import { LostDocuments } from './reconciliation/lost-documents.service.js';
import { LostTasks } from './reconciliation/lost-tasks.service.js';
import { ReconcilerRepository } from './reconciliation/reconciler.repository.js';
import { Reconciler } from './reconciliation/reconciler.service.js';
import { Reconciliation } from './reconciliation/reconciliation.task.js';
import { StorageSweep } from './reconciliation/storage-sweep.task.js';
import { UnownedFiles } from './reconciliation/unowned-files.task.js';
import { UnwantedGenerations } from './reconciliation/unwanted-generations.task.js';
import { FormerVectors } from './reembedding/former-vectors.service.js';
import { ReembeddingOfAll } from './reembedding/reembedding-of-all.task.js';
import { ReembeddingRun } from './reembedding/reembedding-run.task.js';
import { SampledChunks } from './reembedding/sampled-chunks.repository.js';
import { ShadowParity } from './reembedding/shadow-parity.service.js';
import { ShadowWriter } from './reembedding/shadow-writer.service.js';
import { DocumentsToFill } from './refill/documents-to-fill.repository.js';
import { ReindexRun } from './refill/reindex-run.task.js';
import { Reindex } from './refill/reindex.service.js';
import { StoreFiller } from './refill/store-filler.service.js';
import { StoreMove } from './refill/store-move.task.js';
import { StoreParity } from './refill/store-parity.service.js';
import { IndexWriter } from './rows/index-writer.service.js';
import { IntentWork } from './rows/intent-work.service.js';
import { MetadataSync } from './rows/metadata-sync.service.js';
import { OutdatedDocuments } from './rows/outdated-documents.repository.js';
import { OutdatedMetadata } from './rows/outdated-metadata.task.js';
import { VisibleDocuments } from './rows/visible-documents.repository.js';
import { VisibleRows } from './rows/visible-rows.service.js';
import { Reembedding } from './reembedding/reembedding.service.js';
import { ReembeddingsModule } from './spaces/reembeddings.module.js';

/** Keeps the vector store equal to what PostgreSQL says. */
@Module({
  imports: [ContentModule, DocumentsModule, ReembeddingsModule, WaitingModule],
  providers: [
    DocumentsToFill,
    FileOwners,
    FormerVectors,
    GenerationCleaner,
    GenerationRemoval,
    GenerationStates,
    IndexWriter,
    IntentWork,
    OrphanedStepRows,
    LostDocuments,
    LostTasks,
    MetadataSync,
    OutdatedDocuments,
    OutdatedMetadata,
    Reconciler,
    ReconcilerRepository,
    Reconciliation,
    Reembedding,
    ReembeddingOfAll,
    ReembeddingRun,
    Reindex,
    ReindexRun,
    SampledChunks,
    ShadowParity,
    ShadowWriter,
    StorageSweep,
    StoreFiller,
    StoreMove,
    StoreParity,
    UnownedFiles,
    UnwantedGenerations,
    VisibleDocuments,
    VisibleRows,
  ],
  exports: [IndexWriter, LostDocuments, Reconciler],
})
export class IndexingModule {}
