import { join } from 'node:path';
import type { ValuesOf } from '#libs/config';
import type { ObjectStorageContext } from '../define-object-storage.js';
import type { ObjectStorage } from '../object-storage.port.js';
import { UnfinishedUploads } from '../unfinished-uploads.port.js';
import { LocalCopies } from './local-copies.js';
import { S3Bucket } from './s3-bucket.js';
import { S3ObjectStorage } from './s3-object-storage.js';
import type { S3_SETTINGS } from './s3-settings.js';

/** Opens the bucket without a call to the server, so that a service starts while its storage is down; `ping` and readiness say whether it answers. */
export async function openS3Storage(
  values: ValuesOf<typeof S3_SETTINGS>,
  { directory, uploads = new NoUploads() }: ObjectStorageContext,
): Promise<ObjectStorage> {
  const { endpoint, region, bucket = '', accessKeyId = '', secretAccessKey = '' } = values;
  const copies = await LocalCopies.open(join(directory, '.copies'));
  return new S3ObjectStorage(new S3Bucket({ endpoint, region, bucket, accessKeyId, secretAccessKey }), uploads, copies);
}

/** Is where nothing is written. */
class NoUploads extends UnfinishedUploads {
  add(): Promise<void> {
    return Promise.reject(new Error('Nothing is uploaded in parts without a record of it'));
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }

  listBefore(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }
}
