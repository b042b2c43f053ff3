import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { CandidateFinder } from './candidate-finder.js';
import { CandidateScorer } from './candidate-scorer.js';
import { ChunkFeatures } from './chunk-features.js';
import { ResultHydrator } from './result-hydrator.js';
import { ResultReranker } from './result-reranker.js';
import { RetrievalController } from './retrieval.controller.js';
import { RetrievalRepository } from './retrieval.repository.js';
import { RetrievalService } from './retrieval.service.js';
import { RetrievalWarmup } from './retrieval-warmup.js';
import { SearchScopes } from './search-scopes.js';
import { TermStatisticsCache } from './term-statistics.cache.js';
import { TermStatisticsRepository } from './term-statistics.repository.js';

/** Search. Needs the globally provided `UnitOfWork`, `VectorStore`, `Embedder` and `Reranker`. */
@Module({
  imports: [DatasetsModule],
  controllers: [RetrievalController],
  providers: [
    RetrievalRepository,
    TermStatisticsRepository,
    TermStatisticsCache,
    ChunkFeatures,
    CandidateFinder,
    CandidateScorer,
    SearchScopes,
    ResultReranker,
    ResultHydrator,
    RetrievalService,
    RetrievalWarmup,
  ],
  exports: [RetrievalService, RetrievalWarmup],
})
export class RetrievalModule {}
