import { canonicalCharset } from '../../charset/charset-names.js';
import { createDecoder, type StreamDecoder } from '../../charset/decode-file.js';

/** Code pages of Windows fonts by the number of their character set. */
const PAGE_OF_CHARSET: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};
const PAGE_OF_WORD: Readonly<Record<string, number>> = { mac: 10000, pc: 437, pca: 850 };
const NAMES: Readonly<Record<number, string>> = { 10000: 'macintosh', 10007: 'x-mac-cyrillic', 65001: 'utf-8' };
const FALLBACK = 'windows-1252';
/** Charset of fonts whose characters are pictures. */
const SYMBOL_CHARSET = 2;

/** The encoding of a code page; Western when it is not known. */
export function encodingOfPage(page: number): string {
  return canonicalCharset(NAMES[page] ?? `cp${page}`) ?? FALLBACK;
}

/** Turns the bytes of a file into characters, by the code page of the file and those of its fonts. */
export class RtfCharsets {
  private readonly fonts = new Map<number, string>();
  private readonly decoders = new Map<string, StreamDecoder>();
  private own = FALLBACK;

  /** Takes a word that names the code page of the file; false for any other. */
  take(name: string, parameter: number | undefined): boolean {
    const page = name === 'ansicpg' ? parameter : PAGE_OF_WORD[name];
    if (page !== undefined) this.own = encodingOfPage(page);
    return page !== undefined;
  }

  /** A font's charset (`\fcharset`); 1 is that of the file. */
  setFontCharset(font: number, charset: number): void {
    if (charset === SYMBOL_CHARSET) this.fonts.set(font, 'symbol');
    else if (PAGE_OF_CHARSET[charset] !== undefined) this.fonts.set(font, encodingOfPage(PAGE_OF_CHARSET[charset]));
  }

  /** A font's code page (`\cpg`), which outranks its charset. */
  setFontPage(font: number, page: number): void {
    this.fonts.set(font, encodingOfPage(page));
  }

  decode(bytes: Buffer, font: number | undefined): string {
    const encoding = (font === undefined ? undefined : this.fonts.get(font)) ?? this.own;
    if (encoding === 'symbol') return decodeSymbols(bytes);
    let decoder = this.decoders.get(encoding);
    if (decoder === undefined) this.decoders.set(encoding, (decoder = createDecoder(encoding)));
    return decoder.decode(bytes) + decoder.end();
  }
}

/** Of a symbol font only the bullet and plain ASCII can be told without the font. */
function decodeSymbols(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) {
    if (byte === 0xb7 || byte === 0xa7) text += '•';
    else if (byte < 0x80) text += String.fromCharCode(byte);
  }
  return text;
}
