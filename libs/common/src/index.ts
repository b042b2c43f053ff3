export { abortable } from './abortable.js';
export { assertNever } from './assert-never.js';
export { BackgroundLoop } from './background-loop.js';
export { LowPriority } from './low-priority.js';
export { delay, mapBounded, withDeadline } from './bounded.js';
export { isMoment, isWrittenMoment } from './calendar-day.js';
export {
  CatalogueError,
  CataloguedError,
  catalogueErrorOf,
  defineErrors,
  listCatalogueEntries,
  MAX_FIELD_PROBLEMS,
  type Catalogue,
  type CatalogueEntry,
  type CatalogueErrorOptions,
  type ErrorDefinition,
  type ErrorFacts,
  type ErrorFigures,
  type ErrorStatus,
  type FieldProblem,
} from './catalogue-error.js';
export {
  fullPlaceOf,
  STORAGE_LOW,
  storageLow,
  storageLowOf,
  type FullPlace,
  type SpaceFigures,
} from './storage-low.js';
export { toNormalForm } from './normal-form.js';
export { Clock, SystemClock } from './clock.js';
export { csvLine } from './csv-line.js';
export { Batcher } from './batcher.js';
export { GrowingText } from './growing-text.js';
export {
  isUuid,
  newId,
  NOWHERE_TENANT,
  type AccountId,
  type ApiKeyId,
  type Brand,
  type CategoryId,
  type ChunkId,
  type ChunkSetId,
  type DatasetId,
  type DocumentId,
  type RevisionId,
  type TenantId,
} from './ids.js';
export { canonicalJson, findForbiddenName, type JsonObject, type JsonValue } from './json.js';
export { MessageThrottle } from './message-throttle.js';
export { Once } from './once.js';
export { prefetchOne } from './prefetch-one.js';
export { OneByOne } from './one-by-one.js';
export { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, type Page } from './pagination.js';
export { pauseAfter } from './pause-after.js';
export { reasonOf } from './reason-of.js';
export { SideBySide } from './side-by-side.js';
export { SingleFlight } from './single-flight.js';
export { FairQueue } from './fair-queue.js';
export { FairSemaphore } from './fair-semaphore.js';
export { sortSteps } from './sort-steps.js';
export { jsonPieces, MadeList, piecesInTurns } from './json-pieces.js';
export { finish, mapSteps, type Steps } from './steps.js';
export { inTurns, type TurnOptions } from './thread-turns.js';
