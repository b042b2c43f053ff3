import iconv from 'iconv-lite';
import { isBeyondStandard } from './charset-names.js';
import { readFileChunks } from './file-chunks.js';
import { isSurrogatePair } from './utf8-scan.js';

/**
 * Decodes a file piece by piece; memory does not depend on the file's length. A byte order mark at the beginning is left
 * out, bytes without a meaning become U+FFFD, and no piece ends in the middle of a surrogate pair.
 */
export async function* decodeFile(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  let held = '';
  let isFirst = true;
  for await (const chunk of readFileChunks(path)) {
    let text = held + decoder.decode(chunk);
    if (isFirst && text.length > 0) {
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      isFirst = false;
    }
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    held = text.slice(cut);
    if (cut > 0) yield text.slice(0, cut);
  }
  const rest = held + decoder.end();
  if (rest !== '') yield rest;
}

/** Turns bytes into characters and keeps an unfinished character for the next call. */
export interface StreamDecoder {
  decode(bytes: Buffer): string;
  end(): string;
}

/** A decoder for a name that `detectCharset` or `canonicalCharset` gave. */
export function createDecoder(encoding: string): StreamDecoder {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return createUtf32Decoder(encoding === 'utf-32le');
  if (encoding === 'cesu-8') return createCesu8Decoder();
  if (isBeyondStandard(encoding)) return createIconvDecoder(encoding);
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { decode: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

function createIconvDecoder(encoding: string): StreamDecoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  return { decode: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' };
}

function createUtf32Decoder(littleEndian: boolean): StreamDecoder {
  let carry: Buffer = Buffer.alloc(0);
  return {
    decode(bytes) {
      const all = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
      const end = all.length & ~3;
      let text = '';
      for (let at = 0; at < end; at += 4) {
        const code = littleEndian ? all.readUInt32LE(at) : all.readUInt32BE(at);
        text += code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code);
      }
      carry = Buffer.from(all.subarray(end));
      return text;
    },
    end: () => (carry.length > 0 ? '\uFFFD' : ''),
  };
}

const PAIR_BYTES = 6;

/** UTF-8 but for characters beyond U+FFFF, each half of whose surrogate pair is encoded like a character. */
function createCesu8Decoder(): StreamDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let carry: Buffer = Buffer.alloc(0);
  return {
    decode(bytes) {
      const all = Buffer.concat([carry, bytes]);
      const last = all.lastIndexOf(0xed);
      const isCut = last >= 0 && all.length - last < PAIR_BYTES / 2;
      const first = isCut ? last : all.length;
      const start = startOfPair(all, first);
      carry = all.subarray(start);
      return decoder.decode(joinPairs(all.subarray(0, start)), { stream: true });
    },
    end: () => decoder.decode(joinPairs(carry)),
  };
}

/** Where the first half of a pair begins that ends right before `end`, else `end`. */
function startOfPair(bytes: Buffer, end: number): number {
  const at = end - PAIR_BYTES / 2;
  return at >= 0 && bytes[at] === 0xed && (bytes[at + 1]! & 0xf0) === 0xa0 ? at : end;
}

/** UTF-8 of the same characters. */
function joinPairs(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let done = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, Math.max(at + 1, done))) {
    if (!isSurrogatePair(bytes, at)) continue;
    const unit = (from: number): number => 0xd000 | ((bytes[from + 1]! & 0x3f) << 6) | (bytes[from + 2]! & 0x3f);
    pieces.push(bytes.subarray(done, at), Buffer.from(String.fromCharCode(unit(at), unit(at + 3))));
    done = at + PAIR_BYTES;
  }
  return done === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(done)]);
}
