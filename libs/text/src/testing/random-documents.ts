import fc from 'fast-check';
import type { Block, BlockKind } from '../blocks/block.js';
import { chunkBlocks } from '../chunking/chunk-blocks.js';
import { CHUNKING_STRATEGIES, type Chunk, type ChunkingOptions, type TextSegment } from '../chunking/chunk.js';

/** All chunks of a document. */
export async function chunkAll(
  source: Iterable<TextSegment>,
  options: Partial<ChunkingOptions> = {},
): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const one of chunkBlocks(source, options)) chunks.push(one);
  return chunks;
}

/** Cuts a text with blocks into segments of the given lengths, repeated as often as needed. */
export function segment(text: string, blocks: readonly Block[], lengths: readonly number[]): TextSegment[] {
  const segments: TextSegment[] = [];
  for (let start = 0, i = 0; start < text.length; i++) {
    const end = Math.min(text.length, start + (lengths[i % lengths.length] ?? text.length));
    const own = blocks.filter((block) => block.start >= start && block.start < end);
    segments.push({ start, text: text.slice(start, end), blocks: own });
    start = end;
  }
  return segments;
}

/** Joins blocks with blank lines into a document. */
export function compose(parts: readonly (Partial<Block> & { kind: BlockKind; text: string })[]): TextSegment {
  let text = '';
  const blocks: Block[] = [];
  for (const { text: own, ...rest } of parts) {
    blocks.push({ ...rest, start: text.length, end: text.length + own.length });
    text += `${own}\n\n`;
  }
  return { start: 0, text, blocks };
}

/** A sentence of some 70 characters. */
export const sentence = (n: number): string => `Sentence number ${n} tells one more thing about the matter at hand. `;
/** `count` sentences. */
export const prose = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => sentence(from + i))
    .join('')
    .trim();

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'word',
      'Haus',
      'слово',
      'a',
      'longerword',
      '3.5',
      'e.g.',
      'end.',
      'why?',
      'Q:',
      'A:',
      '|',
      'if (a) {',
      '}',
      '#',
      '# ',
      '=====',
      '---',
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom('漢字仮名', '東京。', '知識', '😀', '👩‍👩‍👧', 'ภาษาไทย', 'e\u0301') },
  { weight: 4, arbitrary: fc.constantFrom(' ', ' ', '\n', '\n\n', '\r\n', '\t', '\u3000', '\ufeff', '     ') },
  { weight: 1, arbitrary: fc.nat(300).map((n) => 'x'.repeat(n)) },
  { weight: 1, arbitrary: fc.nat(200).map((n) => '𠮷'.repeat(n)) },
  { weight: 1, arbitrary: fc.nat(300).map((n) => ' '.repeat(n)) },
);
const textOf = fc.array(piece, { maxLength: 400, size: 'max' }).map((pieces) => pieces.join(''));

/** Random blocks over a text, borders aligned to code points. */
export const anyDocument = fc
  .record({
    text: textOf,
    cuts: fc.array(fc.nat(4_000), { maxLength: 30, size: 'max' }),
    kinds: fc.array(fc.constantFrom<BlockKind>('heading', 'paragraph', 'list_item', 'table', 'code', 'caption'), {
      minLength: 1,
    }),
    gaps: fc.array(fc.boolean(), { minLength: 1 }),
    pages: fc.array(fc.nat(3), { minLength: 1 }),
  })
  .map(({ text, cuts, kinds, gaps, pages }) => {
    const aligned = cuts.map((cut) => Math.min(cut, text.length)).map((at) => (isSplit(text, at) ? at - 1 : at));
    const borders = [...new Set([0, ...aligned, text.length])].sort((a, b) => a - b);
    const blocks: Block[] = [];
    for (let i = 0; i + 1 < borders.length; i++) {
      if (gaps[i % gaps.length] === true) continue;
      const kind = kinds[i % kinds.length] as BlockKind;
      const place = { start: borders[i] as number, end: borders[i + 1] as number, page: pages[i % pages.length] };
      blocks.push(kind === 'table' ? { kind, ...place, row: i + 1 } : { kind, ...place });
    }
    return { text, blocks };
  });

function isSplit(text: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(text.slice(at)) && /[\ud800-\udbff]$/.test(text.slice(0, at));
}

const line = fc
  .array(fc.constantFrom('alpha', 'βήτα', '漢字', '😀', 'x'.repeat(40), '42', 'def', 'return', '{', '}'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((words) => words.join(' '));
const part = fc.record({
  kind: fc.constantFrom<BlockKind>(
    'heading',
    'paragraph',
    'list_item',
    'table',
    'code',
    'quote',
    'caption',
    'page_break',
  ),
  lines: fc.array(line, { minLength: 1, maxLength: 40, size: 'max' }),
  style: fc.nat(3),
  level: fc.integer({ min: 1, max: 4 }),
  isQuestion: fc.boolean(),
  gap: fc.constantFrom('\n', '\n\n', '\n \n', '\r\n\r\n'),
});

/** Documents as parsers make them: Markdown's marks outside of headings, tables in one block or one a row, questions, code. */
export const structured = fc.array(part, { maxLength: 25, size: 'max' }).map((parts) => {
  let text = '';
  const blocks: Block[] = [];
  for (const { kind, lines, style, level, isQuestion, gap } of parts) {
    const words = lines[0]! + (isQuestion ? '?' : '');
    if (kind === 'heading') {
      text += style === 0 ? '' : `${'#'.repeat(level)} `;
      blocks.push({ kind, start: text.length, end: text.length + words.length, level });
      text += `${words}${['\n=====', ' ##', '', ''][style]!}`;
    } else if (kind === 'table' && style === 1) {
      for (const [index, own] of lines.entries()) {
        blocks.push({ kind, start: text.length, end: text.length + own.length, row: index + 1 });
        text += `${own}\n`;
      }
    } else {
      const own = kind === 'table' && style === 2 ? [`| ${words} |`, '|---|', ...lines] : [words, ...lines.slice(1)];
      const body = kind === 'page_break' ? '\f' : own.join('\n');
      blocks.push({
        kind,
        start: text.length,
        end: text.length + body.length,
        level,
        ...(kind === 'table' && { row: 1 }),
      });
      text += body;
    }
    text += gap;
  }
  return { text, blocks };
});

/** Any options. */
export const optionsOf = fc
  .record({
    strategy: fc.constantFrom(...CHUNKING_STRATEGIES),
    chunk_size: fc.integer({ min: 64, max: 300 }),
    share: fc.double({ min: 0, max: 0.49, noNaN: true }),
    separators: fc.constantFrom([], ['。', ' '], ['\n\n', 'end.']),
  })
  .map(({ share, ...rest }) => ({ ...rest, chunk_overlap: Math.floor(rest.chunk_size * share) }));
