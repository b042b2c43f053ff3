import { Choice } from '#libs/http';
import { POLICY_FILE_FORMATS, type PolicyFileFormat } from './policy-file.js';

/** Format of an exported policy. */
export class ExportPolicyQuery {
  /** Format of the file. */
  @Choice(POLICY_FILE_FORMATS, { query: true, default: 'json' })
  format: PolicyFileFormat = 'json';
}
