export type { Block, BlockKind } from './blocks/block.js';
export type { Chunk, ChunkingOptions, ChunkingStrategy, TextSegment } from './chunking/chunk.js';
export {
  CHUNKING_STRATEGIES,
  DEFAULT_CHUNKING_OPTIONS,
  MAX_CHUNK_TOKENS,
  MIN_CHUNK_TOKENS,
  WHOLE_MAX_TOKENS,
  resolveChunkingOptions,
} from './chunking/chunk.js';
export { chunkBlocks } from './chunking/chunk-blocks.js';
export { countTokens } from './chunking/count-tokens.js';
export { splitSentences, type TextRange } from './language/split-sentences.js';
export type { DetectedLanguage } from './language/detected-language.js';
export { detectLanguage } from './language/detect-language.js';
export { languageOfQuestion, type QuestionSurroundings } from './language/question-language.js';
export { isUnspacedScript } from './language/characters.js';
export { trimRange } from './language/characters.js';
export { cellsOf } from './tables/table-rows.js';
export { HEAD_ROWS } from './tables/table-rows.js';
export { headOfRows } from './tables/table-rows.js';
export { isDelimiter } from './tables/table-rows.js';
export { isRemark } from './tables/table-rows.js';
