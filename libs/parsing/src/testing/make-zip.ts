import { crc32, deflateRawSync } from 'node:zlib';

/** One member; `claimedSize` is what the headers say about its length, when that is a lie. */
export interface ZipMember {
  name: string;
  data: Buffer;
  claimedSize?: number;
  /** General purpose flags; 1 says that the member is encrypted, 0x800 that its name is UTF-8. */
  flags?: number;
  /** The name as it lies in the archive, when it is no UTF-8. */
  nameBytes?: Buffer;
  /** Kind and rights as Unix keeps them; 0o120777 is a link. */
  mode?: number;
}

/** A ZIP archive for tests, with whatever lies its members ask for. */
export function makeZip(members: readonly ZipMember[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, claimedSize, flags = 0, nameBytes = Buffer.from(name), mode = 0 } of members) {
    const stored = deflateRawSync(data, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(stored.length, 14);
    common.writeUInt32LE(claimedSize ?? data.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE((mode << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, stored);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, nameBytes);
    offset += 30 + nameBytes.length + stored.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/** An archive of a few kilobytes that inflates to `mebibytes`, and says that it holds next to nothing. */
export function makeBomb(mebibytes: number): Buffer {
  return makeZip([{ name: 'word/document.xml', data: Buffer.alloc(mebibytes * 1024 * 1024), claimedSize: 1000 }]);
}
