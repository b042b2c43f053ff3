import { inflateSync } from 'node:zlib';

/** A file that is attached to a PDF. */
export interface AttachedFile {
  /** As the PDF names it; may be empty. */
  readonly name: string;
  readonly mediaType: string | undefined;
  /** The document once more, for machines or as its source: the invoice as XML. */
  readonly isOtherForm: boolean;
  /** Undefined where it is packed in a way that is not known, or damaged. */
  readonly read: (mostBytes: number) => Buffer | undefined;
}

/** The dictionary of an attached file says so in plain bytes, in every PDF: streams are never inside of others. */
export const ATTACHED_MARK = Buffer.from('/EmbeddedFile', 'latin1');
const MOST_FILES = 200;
const MOST_DICTIONARY = 4096;
/** Bytes of packed objects that are looked at for names. */
const MOST_UNPACKED = 16 * 1024 * 1024;
/** Its content is that of the document. */
const OTHER_FORM = /\/AFRelationship\s*\/(?:Alternative|Data|Source)\b/;

/** What a dictionary says of a file, by the number of the object with its bytes. */
interface Naming {
  readonly name: string;
  readonly isOtherForm: boolean;
}

/** Whether the bytes of a PDF are encrypted, those of its attached files with them. */
export function isEncrypted(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('/Encrypt'); at >= 0; at = bytes.indexOf('/Encrypt', at + 1)) {
    if (/^\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(bytes.toString('latin1', at, at + 40))) return true;
  }
  return false;
}

/** The attached files of a PDF, in the order of its bytes; a later version of an object replaces the one before. */
export function attachedFiles(bytes: Buffer): AttachedFile[] {
  const found = new Map<number, { dictionary: string; start: number }>();
  for (let at = bytes.indexOf(ATTACHED_MARK); at >= 0; at = bytes.indexOf(ATTACHED_MARK, at + 1)) {
    // `/EmbeddedFiles` is the list of them.
    if (bytes[at + ATTACHED_MARK.length] === 0x73) continue;
    const object = objectAround(bytes, at);
    if (object !== undefined && found.size < MOST_FILES) found.set(object.number, object);
  }
  if (found.size === 0) return [];
  const namings = namingsIn(bytes);
  return [...found].map(([number, { dictionary, start }]) => ({
    name: namings.get(number)?.name ?? '',
    mediaType: mediaTypeIn(dictionary),
    isOtherForm: namings.get(number)?.isOtherForm ?? false,
    read: (mostBytes) => contentAt(bytes, start, dictionary, mostBytes),
  }));
}

/** The object whose dictionary a mark is in, and where its stream starts. */
function objectAround(bytes: Buffer, at: number): { number: number; dictionary: string; start: number } | undefined {
  const from = Math.max(0, at - MOST_DICTIONARY);
  const before = bytes.toString('latin1', from, at);
  const begin = before.lastIndexOf(' obj');
  const number = /(\d{1,10})\s+\d{1,5}$/.exec(before.slice(Math.max(0, begin - 20), begin))?.[1];
  const stream = bytes.indexOf('stream', at);
  if (begin < 0 || number === undefined || stream < 0 || stream - at > MOST_DICTIONARY) return undefined;
  const dictionary = bytes.toString('latin1', from + begin, stream);
  if (dictionary.includes('endobj')) return undefined;
  const line = stream + 'stream'.length;
  const start = bytes[line] === 13 ? line + 2 : line + 1;
  return { number: Number(number), dictionary, start };
}

function mediaTypeIn(dictionary: string): string | undefined {
  const subtype = /\/Subtype\s*\/([^\s/<>[\]()]{1,120})/.exec(dictionary)?.[1];
  const type = subtype?.replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type.toLowerCase() : undefined;
}

function contentAt(bytes: Buffer, start: number, dictionary: string, mostBytes: number): Buffer | undefined {
  const length = Number(/\/Length\s+(\d{1,10})(?!\s+\d+\s+R)/.exec(dictionary)?.[1] ?? 0);
  const end = bytes.indexOf('endstream', Math.min(start + length, bytes.length));
  const packed = bytes.subarray(start, end < 0 ? bytes.length : end);
  const filter = /\/Filter\s*(?:\[\s*)?\/(\w+)\s*(?:\]|\/|>)/.exec(dictionary)?.[1];
  if (filter === undefined && !dictionary.includes('/Filter'))
    return packed.subarray(0, length > 0 ? length : undefined);
  return filter === 'FlateDecode' && !/\/Filter\s*\[[^\]]*\/\w+\s*\//.test(dictionary)
    ? unpacked(packed, mostBytes)
    : undefined;
}

function unpacked(packed: Buffer, mostBytes: number): Buffer | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: mostBytes });
  } catch {
    // Damaged, or larger: both are left out and counted by the caller.
    return undefined;
  }
}

/** Names are in dictionaries of their own (`/Filespec`), which may be packed with other objects. */
function namingsIn(bytes: Buffer): Map<number, Naming> {
  const namings = new Map<number, Naming>();
  takeNamings(bytes.toString('latin1'), namings);
  let left = MOST_UNPACKED;
  for (let at = bytes.indexOf('/ObjStm'); at >= 0 && left > 0; at = bytes.indexOf('/ObjStm', at + 1)) {
    const object = objectAround(bytes, at);
    const content = object === undefined ? undefined : contentAt(bytes, object.start, object.dictionary, left);
    left -= content?.length ?? 0;
    if (content !== undefined) takeNamings(content.toString('latin1'), namings);
  }
  return namings;
}

function takeNamings(text: string, namings: Map<number, Naming>): void {
  for (const { index, 1: number } of text.matchAll(/\/EF\s*<<[^<>]{0,60}?\/U?F\s+(\d{1,10})\s+\d{1,5}\s+R/g)) {
    const around = dictionaryAround(text, index);
    const name = stringIn(around, '/UF') ?? stringIn(around, '/F') ?? '';
    namings.set(Number(number), { name, isOtherForm: OTHER_FORM.test(around) });
  }
}

/** What belongs to the dictionary that has something at a place: to the ends of its object, or as far as dictionaries go. */
function dictionaryAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MOST_DICTIONARY), at);
  const after = text.slice(at, at + MOST_DICTIONARY);
  const begin = Math.max(before.lastIndexOf(' obj'), openingOf(before));
  const end = after.indexOf('endobj');
  return before.slice(Math.max(0, begin)) + withoutNext(end < 0 ? after : after.slice(0, end));
}

/** Where the dictionary begins that is still open at the end of a text. */
function openingOf(text: string): number {
  let open = 0;
  for (let at = text.length - 2; at >= 0; at -= 1) {
    const two = text.slice(at, at + 2);
    if (two === '>>') open += 1;
    if (two === '<<') open -= 1;
    if (two === '>>' || two === '<<') at -= 1;
    if (open < 0) return at + 1;
  }
  return 0;
}

/** To where the dictionary ends that is open at the beginning of a text. */
function withoutNext(text: string): string {
  let open = 1;
  for (const { 0: two, index } of text.matchAll(/<<|>>/g)) {
    open += two === '<<' ? 1 : -1;
    if (open === 0) return text.slice(0, index);
  }
  return text;
}

/** The string of a key, in brackets or in hexadecimal digits. */
function stringIn(text: string, key: string): string | undefined {
  const from = text.search(new RegExp(`${key}\\s*[(<](?!<)`));
  if (from < 0) return undefined;
  const value = text.slice(from + key.length).trimStart();
  if (value.startsWith('<')) return textOf(Buffer.from(value.slice(1, value.indexOf('>')).replace(/\s+/g, ''), 'hex'));
  const literal = /^\(((?:[^\\()]|\\[^]|\([^()]*\))*)\)/.exec(value)?.[1];
  return literal === undefined ? undefined : textOf(Buffer.from(literal.replace(ESCAPE, unescaped), 'latin1'));
}

const ESCAPE = /\\([0-7]{1,3}|[^])/g;

function unescaped(_: string, code: string): string {
  return /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : code;
}

/** UTF-16 or UTF-8 where a mark says so, else Western. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes[0] === 0xef && bytes[1] === 0xbb
    ? bytes.toString('utf8', 3)
    : new TextDecoder('windows-1252').decode(bytes);
}
