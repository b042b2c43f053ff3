import { stringify } from 'yaml';
import type { FieldProblem } from '#libs/common';
import { runInThread, ThreadEnded } from '#libs/http';
import { policyErrors } from './ingestion-policy.errors.js';
import type { IngestionPolicy } from './ingestion-policy.entity.js';
import type { PolicyFileText, ReadPolicyFile } from './policy-file-thread.js';
import { MAX_POLICY_BYTES } from './policy-validation.js';

export const POLICY_FILE_FORMATS = ['json', 'yaml'] as const;
export type PolicyFileFormat = (typeof POLICY_FILE_FORMATS)[number];

const FORMAT_NAMES: Readonly<Record<PolicyFileFormat, string>> = { json: 'JSON', yaml: 'YAML' };
/** White space at the beginning that is looked past for the first brace. */
const HEAD_BYTES = 1024;

const PROGRAM = new URL(`./policy-file-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** The policy as text of a file that `parsePolicyFile` reads. */
export function writePolicyFile(policy: IngestionPolicy, format: PolicyFileFormat): string {
  return format === 'yaml' ? stringify(policy) : `${JSON.stringify(policy, null, 2)}\n`;
}

/**
 * What a file says, unchecked; read in a thread of its own, for YAML takes a second for a megabyte. The format follows from the
 * extension of `name`, else from the content: JSON begins with a brace.
 * @throws `ingestion_policy.unreadable_file` with the place of every error or the reason, `ingestion_policy.too_large`
 */
export async function parsePolicyFile(name: string, bytes: Uint8Array): Promise<unknown> {
  const format = formatOf(name, bytes);
  const file: PolicyFileText = { format, bytes, maxBytes: MAX_POLICY_BYTES };
  const read = await runInThread<ReadPolicyFile>(PROGRAM, file).catch((error: unknown): ReadPolicyFile => {
    if (error instanceof ThreadEnded) return { reason: error.message, errors: [] };
    throw error;
  });
  if ('value' in read) return read.value;
  if (read.isTooLarge) throw policyErrors.too_large({ limit: MAX_POLICY_BYTES });
  throw unreadable(format, read.reason, read.errors);
}

function formatOf(name: string, bytes: Uint8Array): PolicyFileFormat {
  if (/\.json$/i.test(name)) return 'json';
  if (/\.ya?ml$/i.test(name)) return 'yaml';
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  return /^\s*[[{]/.test(head) ? 'json' : 'yaml';
}

function unreadable(format: PolicyFileFormat, reason: string, errors: readonly FieldProblem[]): Error {
  const facts = { format: FORMAT_NAMES[format], reason: `${reason.replace(/\.$/, '')}.` };
  const problems = errors.length > 0 ? errors : [{ pointer: '', code: 'unreadable', detail: reason }];
  return policyErrors.unreadable_file(facts, { errors: problems });
}
