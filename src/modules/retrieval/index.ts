export { ExplainRequestDto } from './dto/explain-request.dto.js';
export { SearchOptionsDto } from './dto/search-options.dto.js';
export { TOP_K_MAX } from '../ingestion-policy/index.js';
export { DATASETS_MAX, QUERY_MAX, SearchRequestDto } from './dto/search-request.dto.js';
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
export { AnswerMeasure } from './dto/explained-answer.dto.js';
export { FilterModels } from './dto/search-filter.dto.js';
export { RetrievalReport, SearchResult, SearchWarning } from './dto/search-response.dto.js';
export { EXPLAIN_CODES, type ExplainCode } from './explain/explain-codes.js';
export { ExplainService } from './explain/explain.service.js';
export { toSearchResponse } from './search-views.js';
export { RequestRetentionModule } from './ledger/request-retention.module.js';
export { RecordedRequestsService, type OwnRequest } from './ledger/recorded-requests.service.js';
export { RecordedRetrieval, type RecordedOptions } from './ledger/recorded-retrieval.service.js';
export type { MarkedSentence } from './highlights.js';
export { RetrievalDefaultsModule } from './installed-defaults.service.js';
export type { RetrievalOutcome, RetrievedChunk } from './retrieval-outcome.js';
export { retrievalErrors } from './retrieval.errors.js';
export { RetrievalModule } from './retrieval.module.js';
export { RetrievalService, type SearchRequest } from './retrieval.service.js';
export type { RetrieveOptions } from './retrieve-options.js';
export type { SearchTrace } from './search-trace.js';
export { WordFilesModule } from './word-files/word-files.module.js';
export { RetrievalWarmup } from './retrieval-warmup.service.js';
