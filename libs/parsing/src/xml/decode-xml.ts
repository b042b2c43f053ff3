import { createDecoder, type StreamDecoder } from '../charset/decode-file.js';
import { canonicalCharset } from '../charset/charset-names.js';

/** Bytes that are enough to see a byte order mark and an XML declaration. */
const HEAD_BYTES = 512;

/** Decodes the bytes of an XML document: byte order mark, then the shape of the first bytes, then its own declaration. */
export async function* decodeXml(pieces: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let decoder: StreamDecoder | undefined;
  let head: Buffer = Buffer.alloc(0);
  let isFirst = true;
  const clean = (text: string): string => {
    if (text === '' || !isFirst) return text;
    isFirst = false;
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  };
  for await (const piece of pieces) {
    if (typeof piece === 'string') {
      yield clean(piece);
      continue;
    }
    if (decoder === undefined) {
      head = Buffer.concat([head, piece]);
      if (head.length < HEAD_BYTES) continue;
      decoder = createDecoder(encodingOf(head));
      yield clean(decoder.decode(head));
    } else {
      yield clean(decoder.decode(piece));
    }
  }
  if (decoder === undefined && head.length > 0) {
    decoder = createDecoder(encodingOf(head));
    yield clean(decoder.decode(head));
  }
  const rest = decoder?.end() ?? '';
  if (rest !== '') yield clean(rest);
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0x3c && head[1] === 0) return 'utf-16le';
  if (head[0] === 0 && head[1] === 0x3c) return 'utf-16be';
  const declared = /^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(
    head.toString('latin1'),
  )?.[1];
  const known = declared === undefined ? undefined : canonicalCharset(declared);
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
  return known === undefined || known.startsWith('utf-16') || known.startsWith('utf-32') ? 'utf-8' : known;
}
