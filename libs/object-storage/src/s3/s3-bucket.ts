import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ByteRange, ObjectStat } from '../object-storage.port.js';
import { openS3Client, type S3Connection } from './s3-client.js';
import { isAbsent, isGone } from './s3-failure.js';

export interface UploadedPart {
  readonly ETag: string | undefined;
  readonly PartNumber: number;
}

export interface ListedPage {
  readonly objects: readonly (ObjectStat & { readonly key: string })[];
  readonly next: string | undefined;
}

/**
 * Without a byte for so long a connection is given up: anyone who waits for an upload is told within ten seconds. The client counts
 * from 6,000 ms on only three seconds after the call has begun.
 */
const IDLE_MS = 5_900;
/** The same in the middle of an object that is read, where a slow reader makes pauses of his own. */
const READ_IDLE_MS = 30_000;
/** Of a call that carries no content. */
const CALL_MS = 8_000;
/** Of a page of a list, which no one waits for. */
const LIST_MS = 30_000;
/** Of one that sends a part: slow lines need minutes for some megabytes. */
const SEND_MS = 5 * 60_000;
const CONNECTIONS = 64;
/** A look at the server waits for none of the others. */
const LOOKS = 4;

/** The calls of S3 that the storage needs, each with a deadline. Throws what the client throws. */
export class S3Bucket {
  private readonly client: S3Client;
  private readonly reader: S3Client;
  private readonly looker: S3Client;
  private readonly bucket: string;
  /** Identifies this bucket among all others. */
  readonly place: string;

  constructor(connection: S3Connection) {
    const { endpoint, bucket, region } = connection;
    this.bucket = bucket;
    this.place = `${endpoint ?? region}/${bucket}`;
    this.client = openS3Client(connection, { idleMs: IDLE_MS, connections: CONNECTIONS });
    this.reader = openS3Client(connection, { idleMs: READ_IDLE_MS, connections: CONNECTIONS });
    this.looker = openS3Client(connection, { idleMs: IDLE_MS, connections: LOOKS });
  }

  async put(key: string, bytes: Buffer, ifAbsent: boolean, signal?: AbortSignal): Promise<void> {
    const condition = ifAbsent ? { IfNoneMatch: '*' } : {};
    const command = new PutObjectCommand({ ...this.at(key), Body: bytes, ContentLength: bytes.length, ...condition });
    acknowledged(await this.client.send(command, { abortSignal: within(SEND_MS, signal) }));
  }

  /** The id of an upload in parts. */
  async begin(key: string, signal?: AbortSignal): Promise<string> {
    const command = new CreateMultipartUploadCommand(this.at(key));
    const { UploadId: id } = await this.client.send(command, { abortSignal: within(CALL_MS, signal) });
    if (id === undefined) throw new Error('The server began an upload without an id');
    return id;
  }

  async sendPart(
    key: string,
    uploadId: string,
    number: number,
    bytes: Buffer,
    signal?: AbortSignal,
  ): Promise<UploadedPart> {
    const part = { UploadId: uploadId, PartNumber: number, Body: bytes, ContentLength: bytes.length };
    const command = new UploadPartCommand({ ...this.at(key), ...part });
    const { ETag } = acknowledged(await this.client.send(command, { abortSignal: within(SEND_MS, signal) }));
    return { ETag, PartNumber: number };
  }

  async complete(
    key: string,
    uploadId: string,
    { parts, ifAbsent, signal }: { parts: readonly UploadedPart[]; ifAbsent: boolean; signal?: AbortSignal },
  ): Promise<void> {
    const command = new CompleteMultipartUploadCommand({
      ...this.at(key),
      UploadId: uploadId,
      MultipartUpload: { Parts: [...parts] },
      ...(ifAbsent && { IfNoneMatch: '*' }),
    });
    await this.client.send(command, { abortSignal: within(SEND_MS, signal) });
  }

  /** Aborts an upload; an upload that no longer exists is not an error. */
  async abort(key: string, uploadId: string): Promise<void> {
    try {
      const command = new AbortMultipartUploadCommand({ ...this.at(key), UploadId: uploadId });
      await this.client.send(command, { abortSignal: within(CALL_MS) });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** The deadline is for the beginning of the answer; then the connection may rest for `READ_IDLE_MS` at most. */
  async get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${CALL_MS} ms`)), CALL_MS);
    try {
      const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end ?? ''}` };
      const command = new GetObjectCommand({ ...this.at(key), ...bytes });
      const abortSignal = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
      const { Body: body } = await this.reader.send(command, { abortSignal });
      return body as Readable;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Null when there is no such object. */
  async stat(key: string, signal?: AbortSignal): Promise<ObjectStat | null> {
    try {
      const found = await this.client.send(new HeadObjectCommand(this.at(key)), {
        abortSignal: within(CALL_MS, signal),
      });
      return { sizeBytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(key)), { abortSignal: within(CALL_MS, signal) });
  }

  /** At most a thousand objects below a prefix. */
  async listPage(prefix: string, from: string | undefined, signal?: AbortSignal): Promise<ListedPage> {
    const command = new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: from });
    const page = await this.client.send(command, { abortSignal: within(LIST_MS, signal) });
    const objects = (page.Contents ?? []).map(({ Key, Size, LastModified }) => ({
      key: Key ?? '',
      sizeBytes: Size ?? 0,
      modifiedAt: LastModified ?? new Date(0),
    }));
    return { objects, next: page.IsTruncated === true ? page.NextContinuationToken : undefined };
  }

  async ping(signal?: AbortSignal): Promise<void> {
    await this.looker.send(new HeadBucketCommand({ Bucket: this.bucket }), { abortSignal: within(CALL_MS, signal) });
  }

  private at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: key };
  }
}

/** An answer of 200 alone acknowledges nothing: a page of a portal on the way has that too. A server that keeps content names its entity tag. */
function acknowledged<T extends { readonly ETag?: string | undefined }>(answer: T): T {
  if (answer.ETag === undefined) throw new Error('The server answered without the entity tag of what it was sent');
  return answer;
}

function within(milliseconds: number, signal?: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(milliseconds);
  return signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
}
