import { isAscii } from 'node:buffer';
import { canonicalCharset, isBeyondStandard } from '../../charset/charset-names.js';
import { createDecoder } from '../../charset/decode-file.js';
import { detectCharsetOf } from '../../charset/detect-charset.js';
import { readMetaCharset } from '../html.parser.js';
import {
  decodeBody,
  essenceOf,
  headerWithoutContent,
  parameterOf,
  partsOf,
  readMimePart,
  type MimePart,
} from './mime-part.js';

/** Multiparts within multiparts. */
const MAX_DEPTH = 16;
const META_BYTES = 4096;
const TEXTS = new Set(['', 'text/plain', 'text/html']);
/** Short texts in these may be valid UTF-8 by chance, so that their declaration is believed. */
const OF_SEVERAL_BYTES = /^(?:gb|big5|euc|shift|iso-2022|utf-(?:16|32))/;
/** Says that there are no other letters than those of ASCII, which is not so where we look. */
const OF_ASCII = /^(?:us-)?ascii$/i;

/**
 * Mail programs name encodings that their texts do not have: ASCII where there are umlauts, Latin-1 for UTF-8, or UTF-8 for Latin-1. Texts whose bytes
 * contradict the name, or whose encoding the reader of messages does not know, are replaced by the same in UTF-8; all else stays byte for byte.
 */
export async function correctTextParts(message: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let done = 0;
  for (const part of textPartsOf(readMimePart(message), 0)) {
    const corrected = await correct(part);
    if (corrected === undefined) continue;
    const start = part.bytes.byteOffset - message.byteOffset;
    pieces.push(message.subarray(done, start), corrected);
    done = start + part.bytes.length;
  }
  return done === 0 ? message : Buffer.concat([...pieces, message.subarray(done)]);
}

function* textPartsOf(part: MimePart, depth: number): Generator<MimePart> {
  const type = essenceOf(part.headers.get('content-type'));
  if (type.startsWith('multipart/')) {
    if (depth < MAX_DEPTH) for (const inner of partsOf(part)) yield* textPartsOf(inner, depth + 1);
  } else if (TEXTS.has(type) && essenceOf(part.headers.get('content-disposition')) !== 'attachment') yield part;
}

async function correct(part: MimePart): Promise<Buffer | undefined> {
  const bytes = decodeBody(part);
  if (isAscii(bytes)) return undefined;
  const type = part.headers.get('content-type');
  const named = parameterOf(type, 'charset');
  const own = named === undefined ? undefined : canonicalCharset(named);
  if (own !== undefined && OF_SEVERAL_BYTES.test(own)) return undefined;
  const meta = essenceOf(type) === 'text/html' ? readMetaCharset(bytes.subarray(0, META_BYTES)) : undefined;
  const declared = own === undefined || OF_ASCII.test(named!) ? meta : named;
  const { name } = await detectCharsetOf(bytes, { declared });
  const taken = named === undefined ? 'utf-8' : own;
  if (name === taken && !isBeyondStandard(name)) return undefined;
  const decoder = createDecoder(name);
  return inUtf8(part, decoder.decode(bytes) + decoder.end());
}

/** The same part with the text in UTF-8. */
function inUtf8(part: MimePart, text: string): Buffer {
  const { headers } = part;
  const kept = headerWithoutContent(part);
  const type = headers.get('content-type') ?? 'text/plain';
  const others = type.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^\s;"]*)/gi, '');
  const said = `Content-Type: ${others}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  const encoded = Buffer.from(text.replace(/\r?\n$/, '')).toString('base64');
  return Buffer.concat([Buffer.from(kept === '' ? '' : `${kept}\r\n`, 'latin1'), Buffer.from(`${said}${encoded}\r\n`)]);
}
