export { IndexingModule } from './indexing.module.js';
export { GenerationCleaner } from './reconciliation/generation-cleaner.service.js';
export type { UnwantedGeneration } from './reconciliation/generation-states.repository.js';
export { LostDocuments } from './reconciliation/lost-documents.service.js';
export { ReconcilerRepository } from './reconciliation/reconciler.repository.js';
export { Reconciler } from './reconciliation/reconciler.service.js';
export { type ReconciliationReport, ReportWriter } from './reconciliation/reconciliation-report.js';
export { Reembedding, FIRST_PLACE, type ReembeddingTask } from './reembedding/reembedding.service.js';
export { IndexWriter } from './rows/index-writer.service.js';
export { toIndexedChunks } from './rows/indexed-chunk.js';
export {
  RECONCILIATION,
  REEMBEDDING_OF_ALL,
  REINDEX,
  STORE_MOVE,
  type StoreMovePayload,
} from './rows/maintenance.tasks.js';
export { ReembeddingsModule } from './spaces/reembeddings.module.js';
export { ReembeddingsService } from './spaces/reembeddings.service.js';
