export {
  ApiClient,
  readSse,
  UnexpectedAnswer,
  uploadForm,
  type Answer,
  type SseEvent,
  type UploadFile,
} from '../../scripts/lib/api-client.js';
export type {
  ChatAnswer,
  ChatChunk,
  Citation,
  DocumentRecord,
  Page,
  Problem,
  SearchAnswer,
  SearchResult,
} from '../../scripts/lib/api-records.js';
