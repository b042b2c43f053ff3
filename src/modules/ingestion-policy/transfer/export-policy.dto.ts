import { Choice } from '#libs/http';
import { POLICY_FILE_FORMATS, type PolicyFileFormat } from './policy-file.js';

/** How a policy is exported. */
export class ExportPolicyQuery {
  /** Format of the file. */
  @Choice(POLICY_FILE_FORMATS, { query: true, default: 'json' })
  format: PolicyFileFormat = 'json';
}
