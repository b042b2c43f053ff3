/** Default of the certainty that a verdict needs. */
export const DEFAULT_THRESHOLD = 0.7;
export const PREDICATE_MAX = 1_000;
export const ITEMS_DEFAULT = 100;
export const ITEMS_MAX = 1_000;
export const MODEL_CALLS_DEFAULT = 20;
export const MODEL_CALLS_MAX = 200;

/** Maximum number of items of one request, newest documents first. */
export const LOOKED_AT_MAX = { documents: 2_000, chunks: 5_000, rows: 10_000 } as const;
/** UTF-16 units of text that one request reads, and of one document. */
export const TEXT_CHARS_MAX = 32_000_000;
export const ROWS_CHARS_MAX = 8_000_000;
export const DOCUMENT_CHARS_MAX = 500_000;
/** Milliseconds after which reading ends, and so do calls of models. */
export const READING_MS = 10_000;
export const MODEL_MS = 45_000;
