import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { mapBounded } from '#libs/common';
import type { ListedObject, ObjectKey, ObjectStorage } from '#libs/object-storage';

/** Files that are copied at the same time. */
const AT_ONCE = 4;
const BATCH = 256;

/** What a copy did. */
export interface CopyReport {
  readonly copied: number;
  readonly copiedBytes: number;
  /** Were in the target already, byte for byte. */
  readonly present: number;
  /** Are not in the target as they are in the source. */
  readonly failed: readonly ObjectKey[];
}

/**
 * Copies every file of one storage into another and reads each back: what is in the report and not `failed` is there byte for byte. Files
 * that are there already are compared and left alone, so that a copy that was cut off is begun again.
 */
export async function copyFiles(from: ObjectStorage, to: ObjectStorage): Promise<CopyReport> {
  let copied = 0;
  let copiedBytes = 0;
  let present = 0;
  const failed: ObjectKey[] = [];
  for await (const batch of inBatches(from.list(''))) {
    await mapBounded(batch, AT_ONCE, async ({ key, sizeBytes }) => {
      const outcome = await copyFile(key, sizeBytes, from, to);
      if (outcome === 'failed') failed.push(key);
      else if (outcome === 'present') present += 1;
      else {
        copied += 1;
        copiedBytes += sizeBytes;
      }
    });
  }
  return { copied, copiedBytes, present, failed };
}

/** Removes every file that another storage holds byte for byte; resolves to how many stay because it does not. */
export async function removeCopied(from: ObjectStorage, to: ObjectStorage): Promise<number> {
  let kept = 0;
  for await (const batch of inBatches(from.list(''))) {
    await mapBounded(batch, AT_ONCE, async ({ key }) => {
      if ((await hashOf(from, key)) === (await hashOf(to, key))) await from.delete(key);
      else kept += 1;
    });
  }
  return kept;
}

async function copyFile(
  key: ObjectKey,
  sizeBytes: number,
  from: ObjectStorage,
  to: ObjectStorage,
): Promise<'copied' | 'present' | 'failed'> {
  const there = await to.stat(key);
  if (there?.sizeBytes === sizeBytes && (await hashOf(to, key)) === (await hashOf(from, key))) return 'present';
  const stored = await to.put(key, await from.get(key), { maxBytes: sizeBytes });
  return stored.sha256 === (await hashOf(to, key)) ? 'copied' : 'failed';
}

/** SHA-256 of an object, or null when there is none. */
async function hashOf(storage: ObjectStorage, key: ObjectKey): Promise<string | null> {
  if ((await storage.stat(key)) === null) return null;
  const hash = createHash('sha256');
  await pipeline(await storage.get(key), hash);
  return hash.digest('hex');
}

async function* inBatches(objects: AsyncIterable<ListedObject>): AsyncGenerator<readonly ListedObject[]> {
  let batch: ListedObject[] = [];
  for await (const object of objects) {
    batch.push(object);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
