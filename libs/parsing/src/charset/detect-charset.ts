import { canonicalCharset } from './charset-names.js';
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
/** Well-formed sequences that chance does not make. */
const SEQUENCES_THAT_PROVE = 10;
/** A mean below this is noise in every encoding that is known. */
const LEAST_PLAUSIBLE = -8;
/** From this mean on nothing is said against a reading. */
const PLAUSIBLE = -5.5;
/** Difference of scores that makes a decision three times as sure. */
const SCORE_UNIT = 5;
const FALLBACK: DetectedCharset = { name: 'windows-1252', confidence: 0.1 };
/** The escape sequences of ISO-2022-JP that switch to Japanese. */
const ISO_2022_JP = ['\u001b$B', '\u001b$@', '\u001b$(D', '\u001b(J', '\u001b(I'];

/**
 * Decides the encoding of a text file in one pass with bounded memory: byte order mark, the user's word, UTF-16/32 by
 * their zero bytes, valid (or slightly damaged) UTF-8, the document's own word, and at last the likelihood of the letters
 * that each encoding would make of the bytes.
 */
export async function detectCharset(path: string, hints: CharsetHints = {}): Promise<DetectedCharset> {
  const head = readHead(path, HEAD_BYTES);
  const decided = decideByHead(head, hints);
  if (decided !== undefined) return decided;
  const scan = new Utf8Scan();
  for await (const chunk of readFileChunks(path)) scan.feed(chunk);
  return decideBy8Bit(scan.finish(), hints.declared, head);
}

/** The same for bytes that are in memory. */
export async function detectCharsetOf(bytes: Buffer, hints: CharsetHints = {}): Promise<DetectedCharset> {
  const head = bytes.subarray(0, HEAD_BYTES);
  const decided = decideByHead(head, hints);
  if (decided !== undefined) return decided;
  const scan = new Utf8Scan();
  scan.feed(bytes);
  return decideBy8Bit(scan.finish(), hints.declared, head);
}

function decideByHead(head: Buffer, hints: CharsetHints): DetectedCharset | undefined {
  const mark = readByteOrderMark(head);
  if (mark !== undefined) return { name: mark.encoding, confidence: 1 };
  const explicit = hints.explicit === undefined ? undefined : canonicalCharset(hints.explicit);
  if (explicit !== undefined) return { name: explicit, confidence: 1 };
  const wide = detectWideEncoding(head);
  return wide === undefined ? undefined : { name: wide, confidence: 0.95 };
}

async function decideBy8Bit(
  findings: Utf8Findings,
  declared: string | undefined,
  head: Buffer,
): Promise<DetectedCharset> {
  const { malformed, multiByte, surrogateBytes } = findings;
  const own = declared === undefined ? undefined : canonicalCharset(declared);
  if (!findings.hasHighBytes) {
    const hasEscapes = own === 'iso-2022-jp' || ISO_2022_JP.some((escape) => head.includes(escape, 0, 'latin1'));
    return hasEscapes ? { name: 'iso-2022-jp', confidence: 0.99 } : { name: 'utf-8', confidence: 1 };
  }
  if (malformed === 0) return { name: 'utf-8', confidence: 1 };
  if (malformed === surrogateBytes) return { name: 'cesu-8', confidence: 0.95 };
  if (own !== undefined && own !== 'utf-8' && !own.startsWith('utf-16')) return { name: own, confidence: 0.9 };
  const isDamaged = multiByte >= SEQUENCES_THAT_PROVE && malformed <= multiByte * DAMAGE_TOLERATED;
  return isDamaged ? { name: 'utf-8', confidence: 0.8 } : detectStatistically(findings);
}

/** Loaded only here: most files are UTF-8, and the models of the languages cost some memory. */
async function detectStatistically({ sample, multiByte }: Utf8Findings): Promise<DetectedCharset> {
  const { rankCandidates } = await import('./rank-candidates.js');
  const [first, ...others] = rankCandidates(sample, multiByte > 0);
  if (first === undefined || first.plausibility < LEAST_PLAUSIBLE) return FALLBACK;
  const rival = others.find(({ reading }) => reading !== first.reading);
  const lead = rival === undefined ? Infinity : first.score - rival.score;
  const certainty = 1 - 0.5 * Math.exp(-lead / SCORE_UNIT);
  const share = Math.min(1, (first.plausibility - LEAST_PLAUSIBLE) / (PLAUSIBLE - LEAST_PLAUSIBLE));
  return { name: first.name, confidence: Number(Math.min(0.99, certainty * Math.max(share, 0.1)).toFixed(3)) };
}
