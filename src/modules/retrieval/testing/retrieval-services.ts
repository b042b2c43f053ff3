import {
  EmbedderList,
  InstalledModels,
  ModelList,
  type ChatModel,
  type Embedder,
  type NamedModel,
  type Reranker,
} from '#libs/ai';
import { MemoryCache } from '#libs/cache';
import type { UnitOfWork } from '#libs/database';
import type { VectorStore } from '#libs/vector-store';
import { ShownContentRepository } from '../../content/index.js';
import { DatasetAccess } from '../../datasets/index.js';
import { presentPoliciesOver } from '../../ingestion-policy/testing/policy-services.js';
import { CandidateFinder } from '../candidates/candidate-finder.service.js';
import { CandidateScorer } from '../ranking/candidate-scorer.service.js';
import { ChunkFeatures } from '../ranking/chunk-features.service.js';
import { QueryExpander } from '../question/query-expander.service.js';
import { VectorMemory } from '../vectors/vector-memory.service.js';
import { StoreLiveness } from '../vectors/store-liveness.service.js';
import { VectorProposer } from '../vectors/vector-proposer.service.js';
import { vectorLimits, VectorTables } from '../vectors/vector-tables.service.js';
import { PostingsKeeper } from '../postings/postings-keeper.service.js';
import { PostingsRepository } from '../postings/postings.repository.js';
import { ResultHydrator } from '../results/result-hydrator.service.js';
import { QueryEmbedding } from '../question/query-embedding.service.js';
import { ResultReranker } from '../statements/result-reranker.service.js';
import { CommonWords } from '../statements/common-words.service.js';
import { SecondLook } from '../statements/second-look.service.js';
import { StatementVectors } from '../statements/statement-vectors.service.js';
import { StrangeWords } from '../statements/strange-words.service.js';
import { CalibrationFinder } from '../scales/calibrations.service.js';
import { EmbeddingScales } from '../scales/embedding-scales.service.js';
import { EmbeddingScalesRepository } from '../scales/embedding-scales.repository.js';
import { LanguageSampleRepository } from '../scales/language-sample.repository.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { RetrievalService } from '../search/retrieval.service.js';
import { SearchedDatasets } from '../search/searched-datasets.service.js';
import { SearchScopes } from '../candidates/search-scopes.service.js';
import { DatasetContentsCache } from '../snapshot/dataset-contents-cache.service.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import { WordProposer } from '../candidates/word-proposer.service.js';

const CACHE_BYTES = 32 * 1024 * 1024;

export interface RetrievalModels {
  readonly embedder: Embedder;
  readonly reranker: Reranker;
  /** Embedding models beside it. */
  readonly further?: readonly NamedModel<Embedder>[];
  readonly chatModel: ChatModel;
}

/** What is measured of one model. */
export function scalesOver(unitOfWork: UnitOfWork, embedder: Embedder): EmbeddingScales {
  const none = null as unknown;
  const models = new InstalledModels(
    new EmbedderList(embedder),
    new ModelList(none as Reranker),
    new ModelList(none as ChatModel),
  );
  return new EmbeddingScales(new EmbeddingScalesRepository(unitOfWork), models);
}

/** The search as the module puts it together, with caches of its own; without `postingsBytes` the store proposes by words. */
export function createRetrieval(
  unitOfWork: UnitOfWork,
  store: VectorStore,
  { embedder, reranker, chatModel, further = [] }: RetrievalModels,
  postingsBytes = CACHE_BYTES,
  vectorBytes = postingsBytes,
): RetrievalService {
  const lists = [new EmbedderList(embedder, further), new ModelList(reranker)] as const;
  const models = new InstalledModels(...lists, new ModelList(null as unknown as ChatModel));
  const access = new DatasetAccess(unitOfWork);
  const repository = new RetrievalRepository(unitOfWork, access);
  const features = new ChunkFeatures(repository, CACHE_BYTES);
  const scorer = new CandidateScorer(features);
  const keeper = new PostingsKeeper(new PostingsRepository(unitOfWork), postingsBytes);
  const contents = new DatasetContentsCache(
    new TermStatisticsRepository(unitOfWork, new ShownContentRepository(unitOfWork)),
    keeper,
  );
  const liveness = new StoreLiveness(store);
  const words = new WordProposer(store, models, repository, liveness);
  const tables = new VectorTables(
    repository,
    new VectorMemory(vectorBytes),
    vectorLimits('memory', store.capabilities),
  );
  const statements = new StatementVectors(CACHE_BYTES);
  const vectors = new VectorProposer(store, repository, tables, liveness);
  const scales = new EmbeddingScales(new EmbeddingScalesRepository(unitOfWork), models);
  const calibrations = new CalibrationFinder(scales, new LanguageSampleRepository(unitOfWork), models);
  return new RetrievalService(
    new SearchedDatasets(access, presentPoliciesOver(unitOfWork)),
    new QueryEmbedding(models, new QueryExpander(chatModel, new MemoryCache()), calibrations),
    new CandidateFinder(store, repository, words, vectors, keeper, tables),
    new SearchScopes(contents, repository),
    scorer,
    new ResultReranker(
      models,
      repository,
      new SecondLook(models, repository, scales, statements, new StrangeWords(statements)),
      new CommonWords(repository),
    ),
    new ResultHydrator(repository),
  );
}
