import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { makeBomb, makeZip, type ZipMember } from '../../libs/parsing/src/testing/make-zip.js';

/** An archive that someone made to do harm, or that few programs make, and what has to become of it. */
export interface HostileArchive {
  readonly what: string;
  readonly make: () => Buffer;
  readonly status: 'completed' | 'failed';
  /** Code of its failure. */
  readonly code?: string;
  /** In its warnings. */
  readonly warning?: RegExp;
  /** Paths of its files; absent where they are not looked at. */
  readonly paths?: readonly string[];
}

const MIB = 1024 * 1024;
const file = (name: string, text = `The text of ${name}.`): ZipMember => ({ name, data: Buffer.from(text) });
const inside = (name: string, members: readonly ZipMember[]): ZipMember => ({ name, data: makeZip(members) });
const nested = (depth: number): Buffer =>
  Array.from({ length: depth }).reduce<Buffer>(
    (inner, _, n) => makeZip([{ name: n === 0 ? 'deep.txt' : 'in.zip', data: inner }]),
    Buffer.from('The deepest text.'),
  );

/** A file as it lies in an archive, and its entry in the directory. */
function packed(
  name: string,
  data: Buffer,
  stored = deflateRawSync(data),
): { local: Buffer; central: (at: number) => Buffer } {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(data), 10);
  common.writeUInt32LE(stored.length, 14);
  common.writeUInt32LE(data.length, 18);
  common.writeUInt16LE(Buffer.byteLength(name), 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), stored]);
  const central = (at: number): Buffer => {
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name)]);
  };
  return { local, central };
}

function endOf(count: number, directory: Buffer, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return end;
}

/** Entries that all are the same bytes: a small file that is large. */
function overlapping(count: number, bytes: Buffer): Buffer {
  const { local, central } = packed('same.txt', bytes);
  const directory = Buffer.concat(Array.from({ length: count }, () => central(0)));
  return Buffer.concat([local, directory, endOf(count, directory, local.length)]);
}

/** With the sizes and the end in 64 bits, as archives of more than 4 GiB or 65,535 files have them; `claimed` is what a file says of its length. */
function zip64(members: readonly ZipMember[], claimed?: bigint): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const { name, data } of members) {
    const stored = deflateRawSync(data);
    const { local, central } = packed(name, data, stored);
    const extra = Buffer.alloc(28);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(claimed ?? BigInt(data.length), 4);
    extra.writeBigUInt64LE(BigInt(stored.length), 12);
    extra.writeBigUInt64LE(BigInt(at), 20);
    const entry = central(0xffffffff);
    entry.writeUInt32LE(0xffffffff, 20);
    entry.writeUInt32LE(0xffffffff, 24);
    entry.writeUInt16LE(extra.length, 30);
    locals.push(local);
    centrals.push(entry, extra);
    at += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(56);
  end.write('PK\x06\x06', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(members.length), 24);
  end.writeBigUInt64LE(BigInt(members.length), 32);
  end.writeBigUInt64LE(BigInt(directory.length), 40);
  end.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(at + directory.length), 8);
  locator.writeUInt32LE(1, 16);
  const last = endOf(0xffff, directory, 0);
  last.writeUInt32LE(0xffffffff, 12);
  last.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([...locals, directory, end, locator, last]);
}

const shiftJis = Buffer.from([0x95, 0xf1, 0x8d, 0x90, 0x8f, 0x91, 0x2e, 0x74, 0x78, 0x74]);
const cp437 = Buffer.from([0x47, 0x72, 0x94, 0xe1, 0x65, 0x2e, 0x74, 0x78, 0x74]);

export const HOSTILE_ARCHIVES: readonly HostileArchive[] = [
  { what: 'a bomb whose header lies', make: () => makeBomb(200), status: 'failed', code: 'ARCHIVE_LIMIT' },
  {
    what: 'a bomb three archives deep',
    make: () => makeZip([inside('a.zip', [inside('b.zip', [{ name: 'c.txt', data: Buffer.alloc(200 * MIB) }])])]),
    status: 'failed',
    code: 'ARCHIVE_LIMIT',
  },
  {
    what: 'files that are the same bytes',
    make: () => overlapping(5_000, randomBytes(MIB)),
    status: 'failed',
    code: 'ARCHIVE_LIMIT',
  },
  {
    what: 'many archives that together unpack to too much',
    make: () =>
      makeZip(
        Array.from({ length: 40 }, (_, n) =>
          inside(`${n}.zip`, [{ name: `${n}.txt`, data: Buffer.alloc(15 * MIB, `${n} `) }]),
        ),
      ),
    status: 'failed',
    code: 'ARCHIVE_LIMIT',
  },
  {
    what: '100,000 entries',
    make: () => zip64(Array.from({ length: 100_000 }, (_, n) => file(`${n}.txt`, 'x'))),
    status: 'failed',
    code: 'ARCHIVE_LIMIT',
  },
  {
    what: 'paths out of the archive',
    make: () =>
      makeZip(
        ['../../up.txt', '/etc/absolute.txt', 'C:\\windows\\drive.txt', 'a/../../b.txt', '..\\..\\back.txt'].map((n) =>
          file(n),
        ),
      ),
    status: 'completed',
    paths: ['a/b.txt', 'back.txt', 'etc/absolute.txt', 'up.txt', 'windows/drive.txt'],
  },
  {
    what: 'names that are there twice',
    make: () =>
      makeZip([file('a.txt', 'One.'), file('a.txt', 'Two.'), file('A.txt', 'Three.'), file('./a.txt', 'Four.')]),
    status: 'completed',
    paths: ['A.txt', 'a (2).txt', 'a (3).txt', 'a.txt'],
  },
  {
    what: 'names in cp437 and Shift JIS',
    make: () =>
      makeZip([
        { ...file('x', 'Western.'), nameBytes: cp437 },
        { ...file('y', 'Japanese.'), nameBytes: shiftJis },
      ]),
    status: 'completed',
    paths: ['Größe.txt', '報告書.txt'],
  },
  {
    what: 'a link',
    make: () => makeZip([{ ...file('passwd', '/etc/passwd'), mode: 0o120777 }, file('a.txt')]),
    status: 'completed',
    warning: /ATTACHMENT_SKIPPED.*passwd \(a link to another file\)/,
    paths: ['a.txt'],
  },
  {
    what: 'a file with a password',
    make: () => makeZip([{ ...file('secret.txt'), flags: 1 }, file('a.txt')]),
    status: 'completed',
    warning: /ATTACHMENT_SKIPPED.*secret\.txt \(protected by a password\)/,
    paths: ['a.txt'],
  },
  {
    what: 'passwords alone',
    make: () => makeZip([{ ...file('secret.txt'), flags: 1 }]),
    status: 'failed',
    code: 'ENCRYPTED',
  },
  {
    what: 'sizes in 64 bits',
    make: () => zip64([file('a.txt'), file('b/c.txt')]),
    status: 'completed',
    paths: ['a.txt', 'b/c.txt'],
  },
  {
    what: 'a size of nine petabytes',
    make: () => zip64([file('a.txt')], 2n ** 53n - 1n),
    status: 'completed',
    paths: ['a.txt'],
  },
  {
    what: 'sizes that are too small and too large',
    make: () =>
      makeZip([
        { ...file('a.txt'), claimedSize: 1 },
        { ...file('b.txt'), claimedSize: 2_000_000_000 },
      ]),
    status: 'completed',
    paths: ['a.txt', 'b.txt'],
  },
  { what: 'nothing', make: () => makeZip([]), status: 'failed', code: 'UNSUPPORTED_TYPE' },
  {
    what: 'folders alone',
    make: () =>
      makeZip([
        { name: 'a/', data: Buffer.alloc(0) },
        { name: 'a/b/', data: Buffer.alloc(0) },
      ]),
    status: 'failed',
    code: 'UNSUPPORTED_TYPE',
  },
  {
    what: 'archives six deep',
    make: () => nested(6),
    status: 'completed',
    paths: ['in.zip/in.zip/in.zip/in.zip'],
  },
  {
    what: 'a path of 60,000 characters',
    make: () => makeZip([file(`${'folder/'.repeat(8_500)}a.txt`), file('b.txt')]),
    status: 'completed',
  },
  {
    what: 'half of an archive',
    make: () => {
      const whole = makeZip([{ name: 'a.bin', data: randomBytes(50_000) }, file('b.txt')]);
      return whole.subarray(0, whole.length / 2);
    },
    status: 'failed',
    code: 'MALFORMED',
  },
  {
    what: 'content that is damaged in one file',
    make: () => {
      const bytes = makeZip([{ name: 'a.txt', data: randomBytes(5_000) }, file('b.txt')]);
      bytes.fill(0xff, 100, 2_000);
      return bytes;
    },
    status: 'completed',
    warning: /ATTACHMENT_SKIPPED.*a\.txt \(damaged\)/,
    paths: ['b.txt'],
  },
];
