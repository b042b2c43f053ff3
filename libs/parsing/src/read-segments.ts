import { createReadStream, readFileSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Block } from '#libs/text';
import type { ParsedDocument, ShortText } from './document-parser.port.js';
import { BlockCheck, EdgeCheck } from './trusted-blocks.js';

/** A piece of the canonical text with the blocks that begin in it. */
export interface TextSegment {
  /** Offset of the segment's first code unit in the canonical text. */
  start: number;
  text: string;
  /** Blocks whose `start` lies in the segment, ascending; offsets are absolute, a block may end in a later segment. */
  blocks: Block[];
}

/** A text of at most this many code units is read at once, when its blocks take no more than this many bytes. */
export const SMALL_UNITS = 16_384;
export const SMALL_BLOCKS_BYTES = 256 * 1024;

type ReadDocument = Pick<ParsedDocument, 'textPath' | 'blocksPath' | 'textLength' | 'short'>;

/** Length of a segment in UTF-16 code units when the caller names none. */
export const DEFAULT_SEGMENT_UNITS = 65_536;

/**
 * Reads a parsed document piece by piece. Segments are contiguous and cover the whole text; each has `segmentUnits` code
 * units, or one less where a surrogate pair would be cut. An empty text gives no segment.
 * @throws `PARSER_CRASHED` where the parser wrote no such text or blocks
 */
export async function* readSegments(
  parsed: ReadDocument,
  { segmentUnits = DEFAULT_SEGMENT_UNITS }: { segmentUnits?: number } = {},
): AsyncGenerator<TextSegment> {
  if (segmentUnits < 2) throw new RangeError('segmentUnits must be at least 2');
  if (parsed.textLength === 0) return;
  const edges = new EdgeCheck();
  if (parsed.short !== undefined) {
    yield* segmentsOf(edges.pass(toSegment(parsed.short)), segmentUnits);
    return;
  }
  if (isSmall(parsed, segmentUnits)) {
    yield edges.pass(readSmall(parsed));
    return;
  }
  const file = await open(parsed.textPath, 'r');
  const blocks = new BlockReader(parsed.blocksPath, new BlockCheck(parsed.textLength));
  const buffer = Buffer.allocUnsafeSlow(Math.min(segmentUnits, parsed.textLength) * 2);
  try {
    for (let start = 0; start < parsed.textLength;) {
      const text = await readWhole(file, buffer, start, Math.min(segmentUnits, parsed.textLength - start));
      const end = start + text.length;
      yield edges.pass({ start, text, blocks: await blocks.takeBefore(end < parsed.textLength ? end : Infinity) });
      start = end;
    }
  } finally {
    await blocks.close();
    await file.close();
  }
}

/** Whether an untrusted sender gave the text of a short document of this length. */
export function isShortText(short: ShortText | null, textLength: number): boolean {
  if (short === null) return false;
  const { text, blocks } = short;
  const areTexts = typeof text === 'string' && typeof blocks === 'string';
  return areTexts && text.length === textLength && textLength <= SMALL_UNITS && blocks.length <= SMALL_BLOCKS_BYTES;
}

/** The blocks are looked at, too: anyone who wrote the files is not trusted. */
function isSmall({ blocksPath, textLength }: ReadDocument, segmentUnits: number): boolean {
  return textLength <= Math.min(SMALL_UNITS, segmentUnits) && statSync(blocksPath).size <= SMALL_BLOCKS_BYTES;
}

/** A few kilobytes from a folder of our own: to ask another thread for them would cost more than to read them. */
function readSmall({ textPath, blocksPath, textLength }: ReadDocument): TextSegment {
  const text = readFileSync(textPath, 'utf16le');
  if (text.length < textLength) throw new Error('the canonical text is shorter than its recorded length');
  return toSegment({ text: text.slice(0, textLength), blocks: readFileSync(blocksPath, 'utf8') });
}

function toSegment({ text, blocks }: ShortText): TextSegment {
  const check = new BlockCheck(text.length);
  const lines = blocks.split('\n').filter(Boolean);
  return { start: 0, text, blocks: lines.map((line) => check.read(line)) };
}

/** A segment in pieces of at most `units`; no pair of surrogates is cut. */
function* segmentsOf({ text, blocks }: TextSegment, units: number): Generator<TextSegment> {
  let next = 0;
  for (let start = 0; start < text.length;) {
    const piece = wholePairs(text.slice(start, start + units));
    const end = start + piece.length;
    const from = next;
    while (next < blocks.length && (end >= text.length || blocks[next]!.start < end)) next += 1;
    yield { start, text: piece, blocks: blocks.slice(from, next) };
    start = end;
  }
}

/** Reads `[start, end)` of the canonical text; offsets outside are clamped. */
export async function readTextRange(
  parsed: Pick<ParsedDocument, 'textPath' | 'textLength'>,
  start: number,
  end: number,
): Promise<string> {
  const from = Math.max(0, Math.min(start, parsed.textLength));
  const to = Math.max(from, Math.min(end, parsed.textLength));
  const file = await open(parsed.textPath, 'r');
  try {
    return await readUnits(file, Buffer.allocUnsafe((to - from) * 2), from, to - from);
  } finally {
    await file.close();
  }
}

/** Reads units and leaves out a high surrogate at the end whose partner would come after it. */
async function readWhole(file: FileHandle, buffer: Buffer, start: number, units: number): Promise<string> {
  return wholePairs(await readUnits(file, buffer, start, units));
}

/** Without a high surrogate at the end. */
function wholePairs(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff && text.length > 1 ? text.slice(0, -1) : text;
}

async function readUnits(file: FileHandle, buffer: Buffer, start: number, units: number): Promise<string> {
  const bytes = buffer.subarray(0, units * 2);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start * 2 + filled);
    if (bytesRead === 0) throw new Error('the canonical text is shorter than its recorded length');
    filled += bytesRead;
  }
  return bytes.toString('utf16le');
}

/** Blocks of a file in batches: a promise for each of millions of blocks would cost more than the reading. */
class BlockReader {
  private readonly batches: AsyncGenerator<Block[], void, undefined>;
  private batch: Block[] = [];
  private next = 0;

  constructor(path: string, check: BlockCheck) {
    this.batches = readBatches(path, check);
  }

  /** The blocks not taken yet that begin before `end`. */
  async takeBefore(end: number): Promise<Block[]> {
    const taken: Block[] = [];
    for (;;) {
      while (this.next < this.batch.length && this.batch[this.next]!.start < end) {
        taken.push(this.batch[this.next]!);
        this.next += 1;
      }
      if (this.next < this.batch.length) return taken;
      const following = await this.batches.next();
      if (following.done) return taken;
      this.batch = following.value;
      this.next = 0;
    }
  }

  async close(): Promise<void> {
    await this.batches.return(undefined);
  }
}

async function* readBatches(path: string, check: BlockCheck): AsyncGenerator<Block[], void, undefined> {
  let carry = '';
  for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 16 * 1024 })) {
    const lines = (carry + (piece as string)).split('\n');
    carry = lines.pop() ?? '';
    yield lines.map((line) => check.read(line));
  }
}
