import { ParseError } from '../parse-error.js';

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** This and everything above is no sector: the end of a chain, or a mark. */
const NO_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
/** Parts of the table of sectors that the header itself names. */
const HEADER_TABLES = 109;
/** Streams shorter than this lie in small sectors. */
const SMALL_STREAM = 4096;
const STREAM = 2;

/**
 * Walks every chain of sectors and the tree of entries of a compound file (OLE). Readers follow both without asking whether
 * they ever end, so a few damaged bytes would keep them busy until their memory is full. Throws `MALFORMED`.
 */
export function checkCompound(bytes: Buffer): void {
  try {
    new CompoundCheck(bytes).run();
  } catch (error) {
    if (error instanceof RangeError) throw damaged(error);
    throw error;
  }
}

class CompoundCheck {
  private readonly bytes: Buffer;
  private readonly sectorBytes: number;
  private readonly sectors: number;
  private readonly table: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const shift = bytes.readUInt16LE(30);
    if (bytes.length < HEADER_BYTES || (shift !== 9 && shift !== 12)) throw damaged();
    this.sectorBytes = 2 ** shift;
    this.sectors = Math.ceil(bytes.length / this.sectorBytes);
    this.table = this.read(this.tableSectors());
  }

  run(): void {
    const directory = this.read(this.walk(this.bytes.readUInt32LE(48), this.table));
    const small = this.read(this.walk(this.bytes.readUInt32LE(60), this.table));
    for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
      const size = directory.readUInt32LE(at + 120);
      if (directory[at + 66] !== STREAM || size === 0) continue;
      if (size > this.bytes.length) throw damaged();
      this.walk(directory.readUInt32LE(at + 116), size < SMALL_STREAM ? small : this.table);
    }
    checkTree(directory);
  }

  /** Where the table of sectors lies: the header names the first parts, a chain of sectors the others. */
  private tableSectors(): number[] {
    const places: number[] = [];
    const add = (from: Buffer, start: number, count: number): void => {
      for (let index = 0; index < count; index += 1) {
        const place = from.readUInt32LE(start + index * 4);
        if (place < NO_SECTOR) places.push(place);
      }
    };
    add(this.bytes, 76, HEADER_TABLES);
    const perSector = this.sectorBytes / 4 - 1;
    let read = 0;
    for (let list = this.bytes.readUInt32LE(68); list < NO_SECTOR; read += 1) {
      if (read > this.sectors) throw damaged();
      const sector = this.read([list]);
      add(sector, 0, perSector);
      list = sector.readUInt32LE(perSector * 4);
    }
    if (places.length > this.sectors) throw damaged();
    return places;
  }

  private read(places: readonly number[]): Buffer {
    return Buffer.concat(
      places.map((place) => {
        const start = (place + 1) * this.sectorBytes;
        if (start >= this.bytes.length) throw damaged();
        return this.bytes.subarray(start, start + this.sectorBytes);
      }),
    );
  }

  /** The sectors of a chain. A chain that is longer than its table goes in a circle. */
  private walk(start: number, table: Buffer): number[] {
    const chain: number[] = [];
    const longest = table.length / 4;
    for (let sector = start; sector < NO_SECTOR; sector = table.readUInt32LE(sector * 4)) {
      chain.push(sector);
      if (chain.length > longest) throw damaged();
    }
    return chain;
  }
}

/** Every entry has one place in the tree: brothers to its left and right, children below. */
function checkTree(directory: Buffer): void {
  const entries = Math.floor(directory.length / ENTRY_BYTES);
  const seen = new Set<number>();
  const open = entries === 0 ? [] : [0];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (index >= entries || seen.has(index)) throw damaged();
    seen.add(index);
    for (const place of [68, 72, 76]) {
      const next = directory.readUInt32LE(index * ENTRY_BYTES + place);
      if (next !== NO_ENTRY) open.push(next);
    }
  }
}

function damaged(cause?: unknown): ParseError {
  const detail =
    'The file is damaged: its parts refer to each other in circles or to places outside of the file. Save it again in its own program.';
  return new ParseError('MALFORMED', detail, { cause });
}
