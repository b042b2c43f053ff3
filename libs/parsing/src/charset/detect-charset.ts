import { readHead, readFileChunks } from './file-chunks.js';
import { detectWideEncoding, readByteOrderMark } from './unicode-patterns.js';
import { Utf8Scan, type Utf8Findings } from './utf8-scan.js';

/** A decision about an encoding; `name` is what `createDecoder` takes. */
export interface DetectedCharset {
  name: string;
  /** 0–1. */
  confidence: number;
}

export interface CharsetHints {
  /** Named by the user; outranked by a byte order mark only. */
  explicit?: string;
  /** Named by the document itself (HTML `meta`); outranked by bytes that are valid UTF-8. */
  declared?: string;
}

const HEAD_BYTES = 8192;
/** Malformed bytes per well-formed sequence up to which a file is damaged UTF-8 and not another encoding. */
const DAMAGE_TOLERATED = 0.1;
/** Below this a statistical guess is worth no more than the most common encoding. */
const LEAST_CONFIDENCE = 0.05;
const FALLBACK = 'windows-1252';

/** Names of jschardet that `TextDecoder` does not know, with an encoding that holds the same characters. */
const SUPERSETS: Readonly<Record<string, string>> = {
  ascii: 'utf-8',
  'utf-8-sig': 'utf-8',
  cp932: 'shift_jis',
  shift_jis_2004: 'shift_jis',
  euc_jis_2004: 'euc-jp',
  iso2022_jp_2: 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-ext': 'iso-2022-jp',
  cp949: 'euc-kr',
  big5hkscs: 'big5',
  'big5-hkscs': 'big5',
  cp874: 'windows-874',
  cp1125: 'ibm866',
  maccyrillic: 'x-mac-cyrillic',
  'mac-cyrillic': 'x-mac-cyrillic',
  macroman: 'macintosh',
  'mac-roman': 'macintosh',
};

/**
 * Decides the encoding of a text file in one pass with bounded memory: byte order mark, the user's word, UTF-16/32 by
 * their zero bytes, valid (or slightly damaged) UTF-8, the document's own word, and at last jschardet's statistics.
 */
export async function detectCharset(path: string, hints: CharsetHints = {}): Promise<DetectedCharset> {
  const head = readHead(path, HEAD_BYTES);
  const mark = readByteOrderMark(head);
  if (mark !== undefined) return { name: mark.encoding, confidence: 1 };
  const explicit = hints.explicit === undefined ? undefined : canonicalCharset(hints.explicit);
  if (explicit !== undefined) return { name: explicit, confidence: 1 };
  const wide = detectWideEncoding(head);
  if (wide !== undefined) return { name: wide, confidence: 0.95 };
  const scan = new Utf8Scan();
  for await (const chunk of readFileChunks(path)) scan.feed(chunk);
  return decideBy8Bit(scan.finish(), hints.declared, head);
}

async function decideBy8Bit(
  findings: Utf8Findings,
  declared: string | undefined,
  head: Buffer,
): Promise<DetectedCharset> {
  const own = declared === undefined ? undefined : canonicalCharset(declared);
  if (!findings.hasHighBytes) {
    if (head.includes(0x1b)) return detectStatistically(head);
    return { name: own === 'iso-2022-jp' ? own : 'utf-8', confidence: 1 };
  }
  if (findings.malformed === 0) return { name: 'utf-8', confidence: 1 };
  if (own !== undefined && own !== 'utf-8' && !own.startsWith('utf-16')) return { name: own, confidence: 0.9 };
  if (findings.malformed <= findings.multiByte * DAMAGE_TOLERATED) return { name: 'utf-8', confidence: 0.8 };
  return detectStatistically(findings.sample);
}

/** Loaded only here: the first use costs a tenth of a second, and most files are UTF-8. */
async function detectStatistically(sample: Buffer): Promise<DetectedCharset> {
  const { detectAll } = await import('jschardet');
  for (const candidate of detectAll(sample)) {
    const name = candidate.encoding === null ? undefined : canonicalCharset(candidate.encoding);
    if (name === undefined || name.startsWith('utf-') || candidate.confidence < LEAST_CONFIDENCE) continue;
    return { name, confidence: Number(candidate.confidence.toFixed(3)) };
  }
  return { name: FALLBACK, confidence: 0.1 };
}

/** The name under which we decode a label, or undefined when there is no decoder for it. */
export function canonicalCharset(label: string): string | undefined {
  const lower = label.trim().toLowerCase();
  if (lower === 'utf-32le' || lower === 'utf-32be') return lower;
  try {
    return new TextDecoder(SUPERSETS[lower] ?? lower).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
