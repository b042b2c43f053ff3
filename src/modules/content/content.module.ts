import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocumentsModule, WaitingModule } from '../documents/index.js';
import { ChunkSetRepository } from './chunks/chunk-set.repository.js';
import { ChunkSets } from './chunks/chunk-sets.repository.js';
import { ChunkLinesRepository } from './lines/chunk-lines.repository.js';
import { IngestionSteps } from './steps/ingestion-steps.service.js';
import { StepRowsRepository } from './steps/step-rows.repository.js';
import { GenerationFiles } from './texts/generation-files.repository.js';
import { RevisionTextRepository } from './texts/revision-text.repository.js';
import { ChunkVectorsRepository } from './vectors/chunk-vectors.repository.js';
import { ChunkEmbedder } from './vectors/chunk-embedder.service.js';

/** Results of ingestion: texts, chunks, lines, vectors, and the rows of contributed steps. */
@Module({
  imports: [DiscoveryModule, DocumentsModule, WaitingModule],
  providers: [
    ChunkEmbedder,
    ChunkLinesRepository,
    ChunkSetRepository,
    ChunkVectorsRepository,
    ChunkSets,
    GenerationFiles,
    IngestionSteps,
    RevisionTextRepository,
    StepRowsRepository,
  ],
  exports: [
    ChunkEmbedder,
    ChunkLinesRepository,
    ChunkSetRepository,
    ChunkVectorsRepository,
    ChunkSets,
    GenerationFiles,
    IngestionSteps,
    RevisionTextRepository,
    StepRowsRepository,
  ],
})
export class ContentModule {}
