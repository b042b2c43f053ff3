import { defineObjectStorage } from '../define-object-storage.js';
import { S3_SETTINGS } from './s3-settings.js';

/** A bucket of S3 or of a server that speaks its interface. */
export const s3 = defineObjectStorage({
  kind: 's3',
  settings: S3_SETTINGS,
  required: ['bucket', 'accessKeyId', 'secretAccessKey'],
  processes: 'many',
  packages: ['@aws-sdk', '@smithy'],
  open: async (values, context) => (await import('./open-s3-storage.js')).openS3Storage(values, context),
});
