export { ExplainRequestDto } from './request/explain-request.dto.js';
export { SearchOptionsDto } from './request/search-options.dto.js';
export { TOP_K_MAX } from '../ingestion-policy/index.js';
export { DATASETS_MAX, QUERY_MAX, SearchRequestDto } from './request/search-request.dto.js';
export {
  GraphNeighbourhood,
  type GraphEntity,
  type LeadingEntity,
  type LinkedEntity,
  type LinkedQuestion,
  type NamingChunk,
} from './graph/graph-neighbourhood.port.js';
export { AnswerOutlook, OUTLOOK_REFUSALS, type Outlook, type OutlookRefusal } from './explain/answer-outlook.port.js';
export { easierSearches, type EasierSearch } from './explain/proposals.js';
export { AnswerMeasure } from './request/explained-answer.dto.js';
export { FilterModels } from './request/search-filter.dto.js';
export { RetrievalReport, SearchResult, SearchWarning } from './request/search-response.dto.js';
export { EXPLAIN_CODES, type ExplainCode } from './explain/explain-codes.js';
export { ExplainService } from './explain/explain.service.js';
export { toSearchResponse } from './results/search-views.js';
export { RequestRetentionModule } from './ledger/request-retention.module.js';
export { RecordedRequestsService, type OwnRequest } from './ledger/recorded-requests.service.js';
export { RecordedRetrieval, type RecordedOptions } from './ledger/recorded-retrieval.service.js';
export type { MarkedSentence } from './results/highlights.js';
export { RetrievalDefaultsModule } from './search/installed-defaults.service.js';
export type { RetrievalOutcome, RetrievedChunk } from './results/retrieval-outcome.js';
export { retrievalErrors } from './retrieval.errors.js';
export { RetrievalModule } from './retrieval.module.js';
export { RetrievalService, type SearchRequest } from './search/retrieval.service.js';
export type { RetrieveOptions } from './results/retrieve-options.js';
export type { SearchTrace } from './results/search-trace.js';
export { WordFilesModule } from './snapshot/word-files.module.js';
export { RetrievalWarmup } from './search/retrieval-warmup.service.js';
