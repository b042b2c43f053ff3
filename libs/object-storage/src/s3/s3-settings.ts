import { optionalText, url } from '#libs/config';

const section = 'Object storage';

/** Where the bucket is and who may use it. */
export const S3_SETTINGS = {
  endpoint: url('S3_ENDPOINT', ['http:', 'https:'], { section, description: 'Address of the S3 service.' }),
  bucket: optionalText('S3_BUCKET', { section, description: 'Bucket for the original files.' }),
  region: optionalText('S3_REGION', { section, description: 'Region of the bucket.' }),
  accessKeyId: optionalText('S3_ACCESS_KEY_ID', { section, secret: true, description: 'Access key.' }),
  secretAccessKey: optionalText('S3_SECRET_ACCESS_KEY', { section, secret: true, description: 'Secret key.' }),
};
