import { createHash, randomUUID, type Hash } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { inTurns, type JsonObject, type Steps } from '#libs/common';

/** Eight bytes at the beginning of each file, which tell its format. */
const MAGIC = Buffer.from('kbwords1', 'latin1');
const CHECKSUM = 'sha256';
const CHECKSUM_BYTES = 32;
/** Bytes that are summed up between two pauses. */
const BYTES_PER_STEP = 262_144;
/** Parts begin at multiples of this many bytes, so that they can be read as numbers without a copy. */
const ALIGNED = 8;
const FILE_MODE = 0o600;
/** Facts are small. */
const FACTS_MOST = 65_536;

/** What a file holds: some facts, and stretches of bytes. */
export interface Sealed {
  readonly facts: JsonObject;
  readonly parts: readonly Uint8Array[];
}

/** How the facts lie in the file: with the length of each part. */
interface Head {
  readonly facts: JsonObject;
  readonly lengths: readonly number[];
}

/** A file that is not whole, or was not written by this service. */
export class BrokenFile extends Error {}

/**
 * Writes a file with a checksum that is there whole or not at all: under another name first. A file of the same name is replaced; who reads
 * it reads on in the old one. `suffix` ends the other name.
 */
export async function writeSealed(path: string, { facts, parts }: Sealed, suffix: string): Promise<void> {
  const head = Buffer.from(
    JSON.stringify({ facts, lengths: parts.map(({ byteLength }) => byteLength) } satisfies Head),
  );
  const size = Buffer.alloc(ALIGNED);
  size.writeUInt32LE(head.byteLength);
  const pieces = [MAGIC, size, ...[head, ...parts].flatMap((part) => [part, padding(part.byteLength)])];
  const hash = createHash(CHECKSUM);
  const draft = `${path}.${randomUUID()}${suffix}`;
  try {
    const file = await open(draft, 'wx', FILE_MODE);
    try {
      for (const piece of pieces) {
        await inTurns(sum(hash, piece));
        await file.writeFile(piece);
      }
      await file.writeFile(hash.digest());
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The facts of a file, without a look at its checksum; undefined when it is gone or broken. */
export async function factsOf(path: string): Promise<JsonObject | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const begin = Buffer.alloc(FACTS_MOST);
    const { bytesRead } = await file.read(begin, 0, FACTS_MOST, 0);
    const size = begin.readUInt32LE(MAGIC.byteLength);
    const from = MAGIC.byteLength + ALIGNED;
    if (from + size > bytesRead) return undefined;
    return (JSON.parse(begin.toString('utf8', from, from + size)) as Head).facts;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** Undefined when there is no such file. @throws BrokenFile */
export async function readSealed(path: string): Promise<Sealed | undefined> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const end = bytes.byteLength - CHECKSUM_BYTES;
  if (end < MAGIC.byteLength + ALIGNED || !bytes.subarray(0, MAGIC.byteLength).equals(MAGIC))
    throw new BrokenFile('It is of another form.');
  const hash = createHash(CHECKSUM);
  await inTurns(sum(hash, bytes.subarray(0, end)));
  if (!hash.digest().equals(bytes.subarray(end))) throw new BrokenFile('Its checksum is another one.');
  let at = MAGIC.byteLength + ALIGNED;
  const take = (length: number): Buffer => {
    const part = bytes.subarray(at, at + length);
    at += length + padding(length).byteLength;
    return part;
  };
  const { facts, lengths } = JSON.parse(take(bytes.readUInt32LE(MAGIC.byteLength)).toString()) as Head;
  return { facts, parts: lengths.map(take) };
}

/** Whether a file or folder is not there, or a file is in the place of a folder. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function padding(length: number): Buffer {
  return Buffer.alloc((ALIGNED - (length % ALIGNED)) % ALIGNED);
}

function* sum(hash: Hash, bytes: Uint8Array): Steps<void> {
  for (let at = 0; at < bytes.byteLength; at += BYTES_PER_STEP) {
    hash.update(bytes.subarray(at, at + BYTES_PER_STEP));
    yield;
  }
}
