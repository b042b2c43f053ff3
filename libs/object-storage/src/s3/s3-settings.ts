import { optionalText, text, url } from '#libs/config';

const section = 'Object storage';

/** Where the bucket is and who may use it. */
export const S3_SETTINGS = {
  endpoint: url('S3_ENDPOINT', ['http:', 'https:'], {
    section,
    description: 'Address of the S3 service; the bucket is part of the path. Empty: the address of AWS for the region.',
  }),
  bucket: optionalText('S3_BUCKET', { section, description: 'Bucket for the original files; it must exist.' }),
  region: text('S3_REGION', 'us-east-1', { section, description: 'Region of the bucket.' }),
  accessKeyId: optionalText('S3_ACCESS_KEY_ID', {
    section,
    secret: true,
    description: 'Access key with the permissions to read, write, delete and list objects of the bucket.',
  }),
  secretAccessKey: optionalText('S3_SECRET_ACCESS_KEY', {
    section,
    secret: true,
    description: 'Secret key of S3_ACCESS_KEY_ID.',
  }),
};
