export { withoutContent } from './content-inspection.js';
export { DryRunModule } from './dry-run.module.js';
export { IngestionModule } from './ingestion.module.js';
export {
  IngestionStep,
  StepFailed,
  type ChunkedState,
  type IngestionStepOptions,
  type ParsedState,
  type StepAttempt,
  type StepChunk,
  type StepDocument,
  type StepOutput,
  type StepPosition,
  type StepStates,
} from './ingestion-step.js';
export { KeptEmbeddings } from './kept-embeddings.js';
export { fitChunking } from './fit-to-model.js';
export { parsePlanOf } from './parse-options.js';
export { RECONCILIATION, REEMBEDDING_OF_ALL, REINDEX, STORE_MOVE, type StoreMovePayload } from './maintenance.tasks.js';
