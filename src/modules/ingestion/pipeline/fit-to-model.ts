import type { Embedder } from '#libs/ai';
import { yieldToRequests } from '#libs/tasks';
import {
  chunkBlocks,
  countTokens,
  MAX_CHUNK_TOKENS,
  MIN_CHUNK_TOKENS,
  resolveChunkingOptions,
  type Chunk,
  type ChunkingOptions,
  type TextSegment,
} from '#libs/text';
import type { IngestionPolicy } from '../../ingestion-policy/index.js';
import { textToEmbed } from '../../content/index.js';

/** Maximum number of tokens for each estimated token: tokenizers need three or four for a character that they know only by its bytes. */
const MOST_TOKENS_PER_ESTIMATED = 6;
/** Tokens that tokenizers and prefixes add to a text. */
const MOST_TOKENS_AROUND = 32;
const CHUNKS_PER_COUNT = 32;
/** Minimum reduction of a size that is too large, so that few rounds are needed. */
const SHRINK = 0.8;
/** Chunks of `parent_child` have a quarter of the size, at least 64 tokens. */
const CHILD_SHARE = 4;
/** Share of the model's maximum that is reserved for the line about a chunk, which is written after the cut. */
const LINE_SHARE = 4;

/** Chunking options of a text, and the number of chunks that the model cannot read in full. */
export interface FittedChunking {
  readonly options: ChunkingOptions;
  /** Number of chunks that are too long for the model even at the smallest size; null: not counted. */
  readonly tooLong: number | null;
}

/** A text that can be read more than once. */
export type ReadText = () => AsyncIterable<TextSegment> | Iterable<TextSegment>;

/**
 * The chunking options of the policy for a text. With `fit_model`, the size is reduced until the model can read every chunk in full, in its
 * embedded form. The same text, policy and model give the same options, so that another attempt finds the chunks of the previous one.
 */
export async function fitChunking(
  read: ReadText,
  { chunking, enrichment }: Pick<IngestionPolicy, 'chunking' | 'enrichment'>,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<FittedChunking> {
  const { fit_model: isFitted = false, ...wanted } = chunking;
  let options = resolveChunkingOptions(wanted);
  if (!isFitted) return { options, tooLong: null };
  const reads = embedder.descriptor.maxInputTokens;
  const line = enrichment.context === 'off' ? 0 : Math.min(enrichment.max_tokens, Math.floor(reads / LINE_SHARE));
  const room = { embedder, tokens: reads - line };
  for (;;) {
    const { longest, count } = await measure(chunkBlocks(read(), options), room, signal);
    const smaller = count === 0 ? undefined : shrink(options, room.tokens / longest);
    if (smaller === undefined) return { options, tooLong: count };
    options = smaller;
  }
}

interface Room {
  readonly embedder: Embedder;
  /** Maximum number of tokens of a chunk for the model. */
  readonly tokens: number;
}

/** Number of chunks that are too long, and number of tokens of the longest. */
async function measure(
  chunks: AsyncIterable<Chunk>,
  room: Room,
  signal?: AbortSignal,
): Promise<{ readonly longest: number; readonly count: number }> {
  let [longest, count] = [0, 0];
  const take = async (texts: readonly string[]): Promise<void> => {
    for (const tokens of await room.embedder.countTokens(texts, 'document', signal === undefined ? {} : { signal })) {
      if (tokens <= room.tokens) continue;
      longest = Math.max(longest, tokens);
      count += 1;
    }
    await yieldToRequests();
  };
  let batch: string[] = [];
  for await (const { text: body, headingPath } of chunks) {
    signal?.throwIfAborted();
    const text = textToEmbed({ body, heading_path: headingPath, context: null });
    if (countTokens(text) * MOST_TOKENS_PER_ESTIMATED + MOST_TOKENS_AROUND <= room.tokens) continue;
    batch.push(text);
    if (batch.length < CHUNKS_PER_COUNT) continue;
    await take(batch);
    batch = [];
  }
  if (batch.length > 0) await take(batch);
  return { longest, count };
}

/** The same options with a smaller size, reduced by `share` if that is known to be needed; undefined when there is no smaller size. */
function shrink(options: ChunkingOptions, share: number): ChunkingOptions | undefined {
  const { strategy, chunk_size: size, chunk_overlap: overlap } = options;
  // A document that is too long for one chunk is cut as `whole` cuts a document beyond its own limit.
  if (strategy === 'whole') {
    return { ...options, strategy: 'recursive', chunk_size: MAX_CHUNK_TOKENS, chunk_overlap: 0 };
  }
  const least = strategy === 'parent_child' ? MIN_CHUNK_TOKENS * CHILD_SHARE : MIN_CHUNK_TOKENS;
  if (size <= least) return undefined;
  const smaller = Math.max(least, Math.floor(size * Math.min(share, SHRINK)));
  return { ...options, chunk_size: smaller, chunk_overlap: Math.min(overlap, Math.ceil(smaller / 2) - 1) };
}
