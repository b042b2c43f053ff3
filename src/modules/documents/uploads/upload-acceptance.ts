import { isSupported, supportedDescription } from '#libs/parsing';
import type { VersionedPolicy } from '../../ingestion-policy/index.js';
import { documentErrors } from '../documents.errors.js';
import type { StoredUpload } from './upload-form-reader.service.js';

/** Types about which only the parser can decide: containers, whose content matters, and formats that need an installed program. */
const DECIDED_BY_PARSER: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/msword',
  'application/vnd.ms-powerpoint',
]);

/**
 * Refuses a file that can never be ingested into a dataset with this policy. A file that contradicts its name, is empty or encrypted is
 * accepted; its document becomes `failed` with a code for the reason.
 * @throws `documents.type_not_supported`, `documents.type_not_allowed`, `documents.too_large_for_policy`
 */
export function requireAcceptable(
  file: Pick<StoredUpload, 'name' | 'sizeBytes'> & {
    readonly type: Pick<StoredUpload['type'], 'mediaType' | 'problem'>;
  },
  current: Pick<VersionedPolicy, 'version' | 'policy'>,
): void {
  const { name, sizeBytes } = file;
  const { mediaType, problem } = file.type;
  if (problem === undefined && !isSupported(mediaType) && !DECIDED_BY_PARSER.has(mediaType)) {
    throw documentErrors.type_not_supported({ name, mediaType, supported: supportedDescription() });
  }
  const { allowed_types: allowed, max_bytes: limit } = current.policy.governance;
  if (limit !== null && sizeBytes > limit) {
    throw documentErrors.too_large_for_policy({ name, sizeBytes, limit, version: current.version });
  }
  if (allowed !== null && sizeBytes > 0 && !allowed.includes(mediaType)) {
    throw documentErrors.type_not_allowed({ name, mediaType, allowed, version: current.version });
  }
}
