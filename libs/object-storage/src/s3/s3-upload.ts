import type { ObjectKey } from '../object-key.js';
import type { UnfinishedUploads } from '../unfinished-uploads.port.js';
import type { S3Bucket, UploadedPart } from './s3-bucket.js';
import { isSilence } from './s3-client.js';

interface UploadTarget {
  readonly key: ObjectKey;
  readonly ifAbsent: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Sends parts to a bucket: one alone as a plain object, several as an upload in parts, whose id is recorded before the first of them.
 * While one part is sent the next is read.
 */
export async function sendParts(
  bucket: S3Bucket,
  uploads: UnfinishedUploads,
  parts: AsyncIterator<Buffer, void, undefined>,
  target: UploadTarget,
): Promise<void> {
  const first = await parts.next();
  if (first.done === true) return bucket.put(target.key, Buffer.alloc(0), target.ifAbsent, target.signal);
  const second = await parts.next();
  if (second.done === true) return bucket.put(target.key, first.value, target.ifAbsent, target.signal);
  const uploadId = await bucket.begin(target.key, target.signal);
  const upload = { place: bucket.place, key: target.key, uploadId };
  try {
    await uploads.add(upload);
    const sent = await sendAll(bucket, uploadId, { begun: [first.value, second.value], rest: parts }, target);
    await bucket.complete(target.key, uploadId, { parts: sent, ifAbsent: target.ifAbsent, signal: target.signal });
  } catch (error) {
    // What cannot be given up now is given up by the sweep, as long as the record stays; a silent server is not asked for it.
    if (isSilence(error)) throw error;
    await bucket.abort(target.key, uploadId).then(
      () => uploads.remove(upload),
      () => undefined,
    );
    throw error;
  }
  await uploads.remove(upload);
}

interface Content {
  readonly begun: readonly Buffer[];
  readonly rest: AsyncIterator<Buffer, void, undefined>;
}

async function sendAll(
  bucket: S3Bucket,
  uploadId: string,
  content: Content,
  { key, signal }: UploadTarget,
): Promise<readonly UploadedPart[]> {
  const sent: UploadedPart[] = [];
  let sending: Promise<UploadedPart> | undefined;
  for await (const bytes of allOf(content)) {
    if (sending !== undefined) sent.push(await sending);
    sending = bucket.sendPart(key, uploadId, sent.length + 1, bytes, signal);
    // Awaited above or below, unless the source fails first.
    sending.catch(() => undefined);
  }
  if (sending !== undefined) sent.push(await sending);
  return sent;
}

async function* allOf({ begun, rest }: Content): AsyncGenerator<Buffer> {
  yield* begun;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
