export { ChunkSetRepository, type StoredChunk, type ChunkToIndex } from './chunks/chunk-set.repository.js';
export {
  ChunkSets,
  chunkIdOf,
  type ChunkSet,
  type AnalysedChunk,
  type ChunkSetKey,
  type SealedSet,
} from './chunks/chunk-sets.repository.js';
export { ChunkEntity, ChunkVectorEntity, ChunkSetEntity } from './chunks/chunk.entity.js';
export { ContentModule } from './content.module.js';
export { ChunkLinesRepository } from './lines/chunk-lines.repository.js';
export { isQuarantinedOf, SHOWING_STATE, showingStateOf, shownChunkSetOf } from './shown/showing-state.js';
export { ShownContentModule } from './shown/shown-content.module.js';
export { ShownContentRepository, type KeptDocument, type ShownChunk } from './shown/shown-content.repository.js';
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
} from './steps/ingestion-step.port.js';
export { IngestionSteps, type FoundStep } from './steps/ingestion-steps.service.js';
export { StepRowsRepository, type StepRows, type DocumentGeneration } from './steps/step-rows.repository.js';
export { searchTitle } from './texts/document-title.js';
export { GenerationFiles } from './texts/generation-files.repository.js';
export { LANGUAGE_SAMPLE, parsedFile, type ParsedText } from './texts/parsed-text.js';
export { RevisionTextRepository, isShown, finishedText, type RevisionText } from './texts/revision-text.repository.js';
export { ChunkEmbedder, type EmbeddableChunk } from './vectors/chunk-embedder.service.js';
export { KeptEmbeddings } from './vectors/kept-embeddings.repository.js';
export { textToEmbed } from './vectors/text-to-embed.js';
export { removeChunks, removeHiddenChunks } from './chunks/chunk-removals.repository.js';
export { ChunkVectorsRepository } from './vectors/chunk-vectors.repository.js';
