import { Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { DatasetsModule } from '../datasets/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { CandidateFinder } from './candidate-finder.js';
import { CandidateScorer } from './candidate-scorer.js';
import { ChunkFeatures } from './chunk-features.js';
import { QueryExpander } from './expansion/query-expander.js';
import { ExpectedLocator } from './explain/expected-locator.js';
import { ExplainController } from './explain/explain.controller.js';
import { ExplainRepository } from './explain/explain.repository.js';
import { ExplainService } from './explain/explain.service.js';
import { TargetFinder } from './explain/target-finder.js';
import { RecordedRequestsController } from './ledger/recorded-requests.controller.js';
import { RecordedRequestsService } from './ledger/recorded-requests.service.js';
import { RecordedRetrieval } from './ledger/recorded-retrieval.js';
import { RequestLedger } from './ledger/request-ledger.js';
import { RequestLedgerRepository } from './ledger/request-ledger.repository.js';
import { NeighbourFinder } from './neighbour-finder.js';
import { PostingsKeeper } from './postings/postings-keeper.js';
import { PostingsRepository } from './postings/postings.repository.js';
import { ResultHydrator } from './result-hydrator.js';
import { QueryEmbedding } from './query-embedding.js';
import { ResultReranker } from './result-reranker.js';
import { SecondLook } from './second-look.js';
import { StatementVectors } from './statement-vectors.js';
import { CalibrationFinder } from './scales/calibrations.js';
import { EmbeddingScalesModule } from './scales/embedding-scales.module.js';
import { LanguageSampleRepository } from './scales/language-sample.repository.js';
import { RetrievalController } from './retrieval.controller.js';
import { RetrievalRepository } from './retrieval.repository.js';
import { RetrievalService } from './retrieval.service.js';
import { RetrievalWarmup } from './retrieval-warmup.js';
import { searchCacheBytes } from './search-cache-size.js';
import { SearchedDatasets } from './searched-datasets.js';
import { SearchScopes } from './search-scopes.js';
import { DatasetContentsCache } from './dataset-contents.cache.js';
import { TermStatisticsRepository } from './term-statistics.repository.js';
import { WordProposer } from './word-proposer.js';

/** Of the memory for search; the rest is for what is read of single chunks. */
const POSTINGS_SHARE = 0.5;

/** Search. Needs the globally provided `Settings`, `UnitOfWork`, `VectorStore`, `Cache`, `Embedder`, `Reranker` and `ChatModel`. */
@Module({
  imports: [DatasetsModule, EmbeddingScalesModule, IngestionPolicyModule],
  controllers: [RetrievalController, ExplainController, RecordedRequestsController],
  providers: [
    RetrievalRepository,
    TermStatisticsRepository,
    PostingsRepository,
    {
      provide: PostingsKeeper,
      useFactory: (repository: PostingsRepository, { values }: Settings) =>
        new PostingsKeeper(repository, searchCacheBytes(values.searchCacheMegabytes) * POSTINGS_SHARE),
      inject: [PostingsRepository, Settings],
    },
    DatasetContentsCache,
    {
      provide: ChunkFeatures,
      useFactory: (repository: RetrievalRepository, { values }: Settings) =>
        new ChunkFeatures(repository, searchCacheBytes(values.searchCacheMegabytes) * (1 - POSTINGS_SHARE)),
      inject: [RetrievalRepository, Settings],
    },
    WordProposer,
    NeighbourFinder,
    CandidateFinder,
    CandidateScorer,
    SearchedDatasets,
    SearchScopes,
    StatementVectors,
    SecondLook,
    ResultReranker,
    QueryExpander,
    QueryEmbedding,
    ResultHydrator,
    LanguageSampleRepository,
    CalibrationFinder,
    RetrievalService,
    RetrievalWarmup,
    RequestLedgerRepository,
    RequestLedger,
    RecordedRetrieval,
    RecordedRequestsService,
    ExplainRepository,
    ExpectedLocator,
    TargetFinder,
    ExplainService,
  ],
  exports: [ExplainService, RetrievalService, RecordedRequestsService, RecordedRetrieval, RetrievalWarmup],
})
export class RetrievalModule {}
