import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Embedder, type EmbeddedTexts, type EmbedderDescriptor } from '#libs/ai';
import { CHUNKING_STRATEGIES, chunkBlocks, type Block, type Chunk, type TextSegment } from '#libs/text';
import { DEFAULT_POLICY, type ChunkingPolicy } from '../../ingestion-policy/index.js';
import { fitChunking, type ReadText } from './fit-to-model.js';
import { textToEmbed } from '../../content/index.js';

/** A tokenizer with one token per word, and one per character for words with digits. */
class WordReader extends Embedder {
  readonly descriptor: EmbedderDescriptor;
  counted = 0;

  constructor(maxInputTokens: number) {
    super();
    this.descriptor = {
      provider: 'test',
      model: 'words',
      dimensions: 1,
      space: 'words',
      kind: 'semantic',
      maxBatchSize: 1,
      maxInputTokens,
    };
  }

  override async countTokens(texts: readonly string[]): Promise<readonly number[]> {
    this.counted += texts.length;
    return texts.map((text) => tokensOf(text));
  }

  async embed(): Promise<EmbeddedTexts> {
    throw new Error('never asked');
  }
}

const tokensOf = (text: string): number =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .reduce((sum, word) => sum + (/\d/.test(word) ? word.length : 1), 2);

const policyOf = (
  chunking: Partial<ChunkingPolicy>,
  enrichment: Partial<(typeof DEFAULT_POLICY)['enrichment']> = {},
): Parameters<typeof fitChunking>[1] => ({
  chunking: { ...DEFAULT_POLICY.chunking, ...chunking },
  enrichment: { ...DEFAULT_POLICY.enrichment, ...enrichment },
});

/** Paragraphs under a heading, as one segment. */
function textOf(paragraphs: readonly string[]): ReadText {
  const parts = ['# Pumps', ...paragraphs];
  const text = parts.join('\n\n');
  let at = 0;
  const blocks = parts.map((part, index): Block => {
    const start = at;
    at += part.length + 2;
    const place = { start, end: start + part.length };
    return index === 0 ? { kind: 'heading', level: 1, ...place } : { kind: 'paragraph', ...place };
  });
  const segment: TextSegment = { start: 0, text, blocks };
  return () => [segment];
}

async function cut(read: ReadText, options: Parameters<typeof chunkBlocks>[1]): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of chunkBlocks(read(), options)) chunks.push(chunk);
  return chunks;
}

const longest = (chunks: readonly Chunk[]): number =>
  Math.max(
    ...chunks.map(({ text, headingPath }) =>
      tokensOf(textToEmbed({ body: text, heading_path: headingPath, context: null })),
    ),
  );

const NUMBERS = Array.from({ length: 40 }, (_, n) => `Order ${n}: ${'48 213 917 5 60 '.repeat(30)}`);
const WORDS = Array.from({ length: 40 }, (_, n) => `Paragraph ${'of some words '.repeat(30)} ${n}.`);

describe('fit_model', () => {
  it('changes nothing without `fit_model`, and calls no model', async () => {
    const model = new WordReader(8);
    const { options, tooLong } = await fitChunking(textOf(WORDS), policyOf({}), model);
    expect(options).toEqual(DEFAULT_POLICY.chunking);
    expect(tooLong).toBeNull();
    expect(model.counted).toBe(0);
  });

  it('changes nothing if the model reads every chunk, and does not count tokens of chunks that are certainly short enough', async () => {
    const model = new WordReader(8_192);
    const { options, tooLong } = await fitChunking(textOf(WORDS), policyOf({ fit_model: true }), model);
    expect(options).toEqual(DEFAULT_POLICY.chunking);
    expect(tooLong).toBe(0);
    expect(model.counted).toBe(0);
  });

  it.each(CHUNKING_STRATEGIES)(
    'cuts by %s smaller until the model reads every chunk with its headings',
    async (strategy) => {
      const model = new WordReader(400);
      const policy = policyOf({ fit_model: true, strategy, chunk_size: 2_000, chunk_overlap: 200 });
      const read = textOf(NUMBERS);
      expect(longest(await cut(read, { strategy, chunk_size: 2_000, chunk_overlap: 200 }))).toBeGreaterThan(400);
      const { options, tooLong } = await fitChunking(read, policy, model);
      expect(tooLong).toBe(0);
      expect(longest(await cut(read, options))).toBeLessThanOrEqual(400);
      expect(await fitChunking(read, policy, model)).toEqual({ options, tooLong });
    },
  );

  it('reserves room for the line about a chunk, at most a quarter of what the model reads', async () => {
    const read = textOf(NUMBERS);
    for (const [max_tokens, room] of [
      [50, 350],
      [4_096, 300],
    ] as const) {
      const policy = policyOf({ fit_model: true }, { context: 'llm', max_tokens });
      const { options } = await fitChunking(read, policy, new WordReader(400));
      expect(longest(await cut(read, options))).toBeLessThanOrEqual(room);
    }
  });

  it('reports the number of chunks that are too long for the model when they cannot be shorter', async () => {
    const { options, tooLong } = await fitChunking(textOf(NUMBERS), policyOf({ fit_model: true }), new WordReader(20));
    expect(options).toMatchObject({ chunk_size: 64, chunk_overlap: 31 });
    expect(tooLong).toBeGreaterThan(40);
  });

  it('ends for any text and any model, with chunks that fit or the smallest size', async () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const paragraph = fc.array(word, { minLength: 1, maxLength: 200 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(paragraph, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...CHUNKING_STRATEGIES),
        fc.integer({ min: 4, max: 600 }),
        async (paragraphs, strategy, reads) => {
          const read = textOf(paragraphs);
          const { options, tooLong } = await fitChunking(
            read,
            policyOf({ fit_model: true, strategy }),
            new WordReader(reads),
          );
          const least = options.strategy === 'parent_child' ? 256 : 64;
          if (tooLong === 0) expect(longest(await cut(read, options))).toBeLessThanOrEqual(reads);
          else expect(options.chunk_size).toBe(least);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('rejects with the reason of a signal that is aborted', async () => {
    const reason = new Error('no longer wanted');
    const policy = policyOf({ fit_model: true });
    await expect(fitChunking(textOf(WORDS), policy, new WordReader(100), AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
  });
});
