import { optionalText, text, url } from '#libs/config';

const section = 'Object storage';

/** Where the bucket is and who may use it. */
export const S3_SETTINGS = {
  endpoint: url('S3_ENDPOINT', ['http:', 'https:'], {
    section,
    description:
      'Address of the S3 service, which is asked with the bucket in the path. Empty: that of AWS for the region.',
  }),
  bucket: optionalText('S3_BUCKET', { section, description: 'Bucket for the original files; it must exist.' }),
  region: text('S3_REGION', 'us-east-1', { section, description: 'Region of the bucket.' }),
  accessKeyId: optionalText('S3_ACCESS_KEY_ID', {
    section,
    secret: true,
    description: 'Access key, which may read, write, delete and list in the bucket.',
  }),
  secretAccessKey: optionalText('S3_SECRET_ACCESS_KEY', {
    section,
    secret: true,
    description: 'Secret key that belongs to it.',
  }),
};
