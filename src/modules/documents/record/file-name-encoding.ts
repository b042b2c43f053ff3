/** A file name in the headers of a form part. */
export interface SentFileName {
  /** Bytes of the parameter `filename`. */
  readonly plain: Buffer | undefined;
  /** Bytes of the parameter `filename*` (RFC 8187: charset'language'percent-encoded). */
  readonly extended: Buffer | undefined;
}

/**
 * Decodes a file name. `filename*` takes precedence if it can be read. Otherwise the bytes are read as UTF-8 or, if they are not valid
 * UTF-8, as windows-1252; UTF-8 that was encoded twice because something took it for latin1 is restored.
 */
export function decodeFileName({ plain, extended }: SentFileName): string {
  const exact = extended === undefined ? undefined : decodeExtended(extended.toString('latin1'));
  if (exact !== undefined) return exact;
  if (plain === undefined) return '';
  const text = decode(plain, 'utf-8') ?? decode(plain, 'windows-1252') ?? plain.toString('latin1');
  return decodeEncodedWords(unescapeForm(text)) ?? repairMojibake(unescapeForm(text));
}

const EXTENDED = /^([A-Za-z0-9!#$%&+^_`{}~.:-]+)'[A-Za-z0-9-]*'((?:%[0-9A-Fa-f]{2}|[\x21-\x24\x26-\x7e])*)$/;

function decodeExtended(value: string): string | undefined {
  const [, charset, encoded] = EXTENDED.exec(value) ?? [];
  return charset === undefined ? undefined : decode(percentDecode(encoded!), charset);
}

function percentDecode(text: string): Buffer {
  return Buffer.from(
    text.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
}

/** The escapes that browsers use for the three characters that would end the parameter (WHATWG, multipart/form-data encoding). */
function unescapeForm(text: string): string {
  return text.replace(/%22/g, '"').replace(/%0D|%0A/g, '');
}

const ENCODED_WORD = /=\?([A-Za-z0-9_.:-]+)(?:\*[A-Za-z0-9-]+)?\?([BbQq])\?([^?\s]*)\?=/g;

/** Decodes a name that consists only of encoded words of mail headers (RFC 2047), as some mail programs send it. */
function decodeEncodedWords(text: string): string | undefined {
  if (!text.includes('=?') || text.replaceAll(ENCODED_WORD, '').trim() !== '') return undefined;
  let decoded = '';
  for (const [, charset, encoding, word] of text.matchAll(ENCODED_WORD)) {
    const bytes =
      encoding!.toUpperCase() === 'B'
        ? Buffer.from(word!, 'base64')
        : percentDecode(word!.replaceAll('_', ' ').replace(/=(?=[0-9A-Fa-f]{2})/g, '%'));
    const piece = decode(bytes, charset!);
    if (piece === undefined) return undefined;
    decoded += piece;
  }
  return decoded === '' ? undefined : decoded;
}

/** Undefined for bytes that are invalid in the encoding, and for an unknown encoding. */
function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The bytes 0x80 to 0x9f, by the characters that they are in windows-1252. */
const WINDOWS_1252: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 32 }, (_, index) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + index)),
    0x80 + index,
  ]),
);
const REPAIRS_MAX = 2;
/**
 * Texts that restored UTF-8 plausibly contains: letters of scripts with two bytes, and characters of three or four bytes. It excludes what
 * a capital letter and a sign would give by chance ("É®" would be the phonetic letter U+026E).
 */
const PLAUSIBLE: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x218, 0x21b],
  [0x300, 0x36f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x531, 0x58f],
  [0x5d0, 0x5ea],
  [0x600, 0x6ff],
  [0x900, 0xd7ff],
  [0xf900, 0xfffc],
  [0x10000, 0x3ffff],
];

function isPlausible(text: string): boolean {
  return Array.from(text, (character) => character.codePointAt(0)!).every((code) =>
    PLAUSIBLE.some(([from, to]) => code >= from && code <= to),
  );
}

/** Restores UTF-8 that was read as latin1 or windows-1252 and encoded again ("Ã¼ber.txt"). */
export function repairMojibake(text: string): string {
  let name = text;
  for (let repairs = 0; repairs < REPAIRS_MAX; repairs += 1) {
    const repaired = undoMisreading(name);
    if (repaired === undefined) return name;
    name = repaired;
  }
  return name;
}

function undoMisreading(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- anything beyond ASCII
  if (!/[^\x00-\x7f]/.test(text)) return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const byte = WINDOWS_1252.get(character) ?? (code <= 0xff ? code : undefined);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  const repaired = decode(Buffer.from(bytes), 'utf-8');
  return repaired !== undefined && isPlausible(repaired) ? repaired : undefined;
}
