import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ParseError } from '../parse-error.js';
import { DOC, PPT, XLS } from './office-types.js';

/** First bytes of a compound file (OLE). */
export const OLE_MAGIC = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const END_OF_CHAIN = 0xfffffffe;
/** Parts of the table of sectors that the header itself names. */
const HEADER_TABLES = 109;
const MAX_DIRECTORY_SECTORS = 4096;
const MAX_LIST_SECTORS = 4096;
/** Entries of protected files. */
const ENCRYPTED_NAMES = ['EncryptedPackage', 'EncryptedSummary', '\tDRMContent', 'DRMEncryptedDataSpace'];
const WORD_STREAM = 'WordDocument';
const WORD_MARK = 0xa5ec;
/** Shorter streams share sectors. */
const LEAST_OWN_SECTORS = 4096;
const TELLING_NAMES: readonly (readonly [string, string])[] = [
  [WORD_STREAM, DOC],
  ['PowerPoint Document', PPT],
  ['Workbook', XLS],
  ['Book', XLS],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
];

/**
 * The media type of a compound file by the names of its streams; undefined for other programs' files.
 * Throws `MALFORMED`, and `ENCRYPTED` for a file with a password.
 */
export function typeOfCompound(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const directory = new CompoundDirectory(file);
    const entries = directory.entries();
    if (ENCRYPTED_NAMES.some((name) => entries.has(name)) || directory.isEncryptedText(entries.get(WORD_STREAM))) {
      const detail = 'The file is protected by a password; remove the password and upload it again.';
      throw new ParseError('ENCRYPTED', detail);
    }
    return TELLING_NAMES.find(([name]) => entries.has(name))?.[1];
  } finally {
    closeSync(file);
  }
}

interface Entry {
  start: number;
  size: number;
}

/** Reads the directory alone: the file may be large. */
class CompoundDirectory {
  private readonly file: number;
  private readonly size: number;
  private readonly header: Buffer;
  private readonly sectorBytes: number;

  constructor(file: number) {
    this.file = file;
    this.size = fstatSync(file).size;
    this.header = this.readAt(0, HEADER_BYTES);
    const shift = this.header.readUInt16LE(30);
    if (shift !== 9 && shift !== 12) throw damaged();
    this.sectorBytes = 2 ** shift;
  }

  /** Streams and storages of all levels by name. */
  entries(): Map<string, Entry> {
    const names = new Map<string, Entry>();
    let sector = this.header.readUInt32LE(48);
    for (let read = 0; sector < END_OF_CHAIN && read < MAX_DIRECTORY_SECTORS; read += 1) {
      const entries = this.readSector(sector);
      for (let at = 0; at < entries.length; at += ENTRY_BYTES) addName(entries.subarray(at, at + ENTRY_BYTES), names);
      sector = this.next(sector);
    }
    return names;
  }

  /** Word says in the first bytes of its text whether they are followed by words or by a cipher. */
  isEncryptedText(stream: Entry | undefined): boolean {
    if (stream === undefined || stream.size < LEAST_OWN_SECTORS) return false;
    const start = this.readSector(stream.start);
    return start.readUInt16LE(0) === WORD_MARK && (start.readUInt16LE(10) & 0x0100) !== 0;
  }

  private next(sector: number): number {
    const perTable = this.sectorBytes / 4;
    const place = this.placeOfTable(Math.floor(sector / perTable));
    return place >= END_OF_CHAIN ? END_OF_CHAIN : this.readSector(place).readUInt32LE((sector % perTable) * 4);
  }

  /** Where a part of the table of sectors lies: the header names the first ones, a chain of sectors the others. */
  private placeOfTable(table: number): number {
    if (table < HEADER_TABLES) return this.header.readUInt32LE(76 + table * 4);
    const perSector = this.sectorBytes / 4 - 1;
    let rest = table - HEADER_TABLES;
    let list = this.header.readUInt32LE(68);
    for (let read = 0; list < END_OF_CHAIN && read < MAX_LIST_SECTORS; read += 1) {
      const places = this.readSector(list);
      if (rest < perSector) return places.readUInt32LE(rest * 4);
      rest -= perSector;
      list = places.readUInt32LE(perSector * 4);
    }
    return END_OF_CHAIN;
  }

  private readSector(sector: number): Buffer {
    return this.readAt((sector + 1) * this.sectorBytes, this.sectorBytes);
  }

  private readAt(position: number, length: number): Buffer {
    if (position + length > this.size) throw damaged();
    const bytes = Buffer.alloc(length);
    if (readSync(this.file, bytes, 0, length, position) < length) throw damaged();
    return bytes;
  }
}

function addName(entry: Buffer, names: Map<string, Entry>): void {
  const isUsed = entry[66] === 1 || entry[66] === 2;
  const length = entry.readUInt16LE(64);
  if (isUsed && length >= 2 && length <= 64) {
    const name = entry.toString('utf16le', 0, length - 2);
    if (!names.has(name)) names.set(name, { start: entry.readUInt32LE(116), size: entry.readUInt32LE(120) });
  }
}

function damaged(): ParseError {
  return new ParseError(
    'MALFORMED',
    'The file is a damaged or incomplete old Office file; open it in its own program, save it again and upload that.',
  );
}
