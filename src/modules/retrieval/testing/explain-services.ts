import type { PinoLogger } from 'nestjs-pino';
import { AuditLog, type UnitOfWork } from '#libs/database';
import { Metrics } from '#libs/metrics';
import type { VectorStore } from '#libs/vector-store';
import { DatasetAccess } from '../../datasets/index.js';
import { FakeMemberDirectory } from '../../datasets/testing/dataset-services.js';
import { CandidateScorer } from '../ranking/candidate-scorer.service.js';
import { ChunkFeatures } from '../ranking/chunk-features.service.js';
import { ExpectedLocator } from '../explain/expected-locator.service.js';
import { ExplainRepository } from '../explain/explain.repository.js';
import { ExplainService } from '../explain/explain.service.js';
import { SearchOverviewService } from '../explain/search-overview.service.js';
import { TargetFinder } from '../explain/target-finder.service.js';
import { RecordedRequestsService } from '../ledger/recorded-requests.service.js';
import { RecordedRetrieval } from '../ledger/recorded-retrieval.service.js';
import { RequestLedger } from '../ledger/request-ledger.service.js';
import { RequestLedgerRepository } from '../ledger/request-ledger.repository.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import type { RetrievalService } from '../search/retrieval.service.js';
import { createRetrieval, type RetrievalModels } from './retrieval-services.js';

const CACHE_BYTES = 8 * 1024 * 1024;

/** Search with its ledger and its explanations, as the module puts them together. */
export interface ExplainServices {
  readonly retrieval: RetrievalService;
  readonly recorded: RecordedRetrieval;
  readonly ledger: RequestLedger;
  readonly requests: RecordedRequestsService;
  readonly explain: ExplainService;
  readonly overview: SearchOverviewService;
  /** Everybody is a member but those whom the test names. */
  readonly members: FakeMemberDirectory;
  /** Events that were logged. */
  readonly logged: string[];
}

export function createExplain(
  unitOfWork: UnitOfWork,
  store: VectorStore,
  models: RetrievalModels,
  postingsBytes?: number,
): ExplainServices {
  const access = new DatasetAccess(unitOfWork);
  const retrieval = createRetrieval(unitOfWork, store, models, postingsBytes);
  const logged: string[] = [];
  const logger = { warn: (_facts: unknown, event: string) => logged.push(event) } as unknown as PinoLogger;
  const ledgerRepository = new RequestLedgerRepository(unitOfWork, access);
  const ledger = new RequestLedger(ledgerRepository, new Metrics(), logger);
  const repository = new ExplainRepository(unitOfWork, access);
  const features = new ChunkFeatures(new RetrievalRepository(unitOfWork, access), CACHE_BYTES);
  const scorer = new CandidateScorer(features);
  const members = new FakeMemberDirectory();
  return {
    retrieval,
    recorded: new RecordedRetrieval(retrieval, ledger),
    ledger,
    requests: new RecordedRequestsService(ledgerRepository, ledger, retrieval, access),
    explain: new ExplainService(
      retrieval,
      access,
      members,
      new ExpectedLocator(repository, new AuditLog(unitOfWork)),
      new TargetFinder(repository, scorer, features, store),
      ledger,
    ),
    overview: new SearchOverviewService(retrieval, repository, ledger),
    members,
    logged,
  };
}
