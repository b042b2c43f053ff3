import { Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { VectorStore } from '#libs/vector-store';
import { ShownContentModule } from '../content/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { CandidateFinder } from './candidates/candidate-finder.service.js';
import { CandidateScorer } from './ranking/candidate-scorer.service.js';
import { ChunkFeatures } from './ranking/chunk-features.service.js';
import { QueryExpander } from './question/query-expander.service.js';
import { ExpectedLocator } from './explain/expected-locator.service.js';
import { ExplainController } from './explain/explain.controller.js';
import { ExplainRepository } from './explain/explain.repository.js';
import { ExplainService } from './explain/explain.service.js';
import { SearchOverviewService } from './explain/search-overview.service.js';
import { TargetFinder } from './explain/target-finder.service.js';
import { RecordedRequestsController } from './ledger/recorded-requests.controller.js';
import { RecordedRequestsService } from './ledger/recorded-requests.service.js';
import { RecordedRetrieval } from './ledger/recorded-retrieval.service.js';
import { RequestLedger } from './ledger/request-ledger.service.js';
import { RequestLedgerRepository } from './ledger/request-ledger.repository.js';
import { PostingsKeeper } from './postings/postings-keeper.service.js';
import { PostingsRepository } from './postings/postings.repository.js';
import { ResultHydrator } from './results/result-hydrator.service.js';
import { QueryEmbedding } from './question/query-embedding.service.js';
import { ResultReranker } from './statements/result-reranker.service.js';
import { CommonWords } from './statements/common-words.service.js';
import { SecondLook } from './statements/second-look.service.js';
import { StatementVectors } from './statements/statement-vectors.service.js';
import { StrangeWords } from './statements/strange-words.service.js';
import { CalibrationFinder } from './scales/calibrations.service.js';
import { EmbeddingScalesModule } from './scales/embedding-scales.module.js';
import { LanguageSampleRepository } from './scales/language-sample.repository.js';
import { RetrievalController } from './retrieval.controller.js';
import { RetrievalRepository } from './rows/retrieval.repository.js';
import { RetrievalService } from './search/retrieval.service.js';
import { RetrievalWarmup } from './search/retrieval-warmup.service.js';
import { searchCacheBytes } from './snapshot/search-cache-size.js';
import { SearchedDatasets } from './search/searched-datasets.service.js';
import { SearchScopes } from './candidates/search-scopes.service.js';
import { DatasetContentsCache } from './snapshot/dataset-contents-cache.service.js';
import { TermStatisticsRepository } from './rows/term-statistics.repository.js';
import { VectorMemory } from './vectors/vector-memory.service.js';
import { StoreLiveness } from './vectors/store-liveness.service.js';
import { VectorProposer } from './vectors/vector-proposer.service.js';
import { vectorLimits, VectorTables } from './vectors/vector-tables.service.js';
import { VectorWarmup } from './vectors/vector-warmup.service.js';
import { WordFilesModule } from './snapshot/word-files.module.js';
import { WordFiles } from './snapshot/word-files.service.js';
import { WordFilesUpkeep } from './snapshot/word-files-upkeep.service.js';
import { WordProposer } from './candidates/word-proposer.service.js';

/** Share of the memory for search for words and vectors of whole datasets; the rest is for single chunks. */
const POSTINGS_SHARE = 0.5;
const VECTORS_SHARE = 0.2;
/** For the vectors of single statements. */
const STATEMENTS_SHARE = 0.05;
const CHUNKS_SHARE = 1 - POSTINGS_SHARE - VECTORS_SHARE - STATEMENTS_SHARE;

/** Search. Needs the globally provided `Settings`, `UnitOfWork`, `VectorStore`, `Cache`, `Embedder`, `Reranker` and `ChatModel`. */
@Module({
  imports: [DatasetsModule, EmbeddingScalesModule, IngestionPolicyModule, ShownContentModule, WordFilesModule],
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
    {
      provide: DatasetContentsCache,
      useFactory: (repository: TermStatisticsRepository, keeper: PostingsKeeper, files: WordFiles) =>
        new DatasetContentsCache(repository, keeper, files),
      inject: [TermStatisticsRepository, PostingsKeeper, WordFiles],
    },
    WordFilesUpkeep,
    {
      provide: ChunkFeatures,
      useFactory: (repository: RetrievalRepository, { values }: Settings) =>
        new ChunkFeatures(repository, searchCacheBytes(values.searchCacheMegabytes) * CHUNKS_SHARE),
      inject: [RetrievalRepository, Settings],
    },
    { provide: StoreLiveness, useFactory: (store: VectorStore) => new StoreLiveness(store), inject: [VectorStore] },
    WordProposer,
    {
      provide: VectorTables,
      useFactory: (repository: RetrievalRepository, store: VectorStore, { values }: Settings) => {
        const memory = new VectorMemory(searchCacheBytes(values.searchCacheMegabytes) * VECTORS_SHARE);
        return new VectorTables(repository, memory, vectorLimits(values.vectorSearch, store.capabilities));
      },
      inject: [RetrievalRepository, VectorStore, Settings],
    },
    VectorProposer,
    VectorWarmup,
    CandidateFinder,
    CandidateScorer,
    SearchedDatasets,
    SearchScopes,
    {
      provide: StatementVectors,
      useFactory: ({ values }: Settings) =>
        new StatementVectors(searchCacheBytes(values.searchCacheMegabytes) * STATEMENTS_SHARE),
      inject: [Settings],
    },
    CommonWords,
    SecondLook,
    StrangeWords,
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
    SearchOverviewService,
  ],
  exports: [ExplainService, RetrievalService, RecordedRequestsService, RecordedRetrieval, RetrievalWarmup],
})
export class RetrievalModule {}
