import { stringify } from 'yaml';
import { findForbiddenName, inTurns, type FieldProblem } from '#libs/common';
import { JSON_DEPTH_MAX, JsonScanner, runInThread, ThreadEnded } from '#libs/http';
import { findYamlExcess } from '#libs/yaml';
import { policyErrors } from '../ingestion-policy.errors.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import type { PolicyFileText, ReadPolicyFile } from './policy-file-thread.js';
import { MAX_POLICY_BYTES } from '../rules/policy-validation.js';

export const POLICY_FILE_FORMATS = ['json', 'yaml'] as const;
export type PolicyFileFormat = (typeof POLICY_FILE_FORMATS)[number];

const FORMAT_NAMES: Readonly<Record<PolicyFileFormat, string>> = { json: 'JSON', yaml: 'YAML' };
/** Each value takes at least two bytes of JSON, so a policy with more values is too large. */
const MAX_POLICY_VALUES = MAX_POLICY_BYTES / 2;
/** Maximum number of lines of a YAML file, including empty lines and comments. */
const MOST_LINES = 100_000;
/** Maximum length of white space before the first brace. */
const HEAD_BYTES = 1024;

const PROGRAM = new URL(`./policy-file-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** The policy as the text of a file, which `parsePolicyFile` can read. */
export function writePolicyFile(policy: IngestionPolicy, format: PolicyFileFormat): string {
  return format === 'yaml' ? stringify(policy) : `${JSON.stringify(policy, null, 2)}\n`;
}

/**
 * The content of a file, not validated. The file is scanned first and then parsed in a separate thread, because YAML takes a second for a
 * megabyte. The format follows from the extension of `name`, or else from the content: JSON begins with a brace.
 * @throws `ingestion_policy.unreadable_file` with the place of every error or the reason, `ingestion_policy.too_large`
 */
export async function parsePolicyFile(name: string, bytes: Uint8Array): Promise<unknown> {
  const format = formatOf(name, bytes);
  const excess = await findExcess(format, bytes);
  if (excess === 'values') throw policyErrors.too_large({ limit: MAX_POLICY_BYTES });
  if (excess !== undefined) throw unreadable(format, EXCESS[excess]);
  const bounds = { maxBytes: MAX_POLICY_BYTES, maxValues: MAX_POLICY_VALUES, maxDepth: JSON_DEPTH_MAX };
  const file: PolicyFileText = { format, bytes, ...bounds };
  const read = await runInThread<ReadPolicyFile>(PROGRAM, file).catch((error: unknown): ReadPolicyFile => {
    if (error instanceof ThreadEnded) return { reason: error.message, errors: [] };
    throw error;
  });
  if ('value' in read) return refuseForbiddenNames(format, read.value);
  if (read.isTooLarge) throw policyErrors.too_large({ limit: MAX_POLICY_BYTES });
  throw unreadable(format, read.reason, read.errors);
}

const EXCESS = {
  depth: `it is nested deeper than ${JSON_DEPTH_MAX} levels`,
  lines: `it has more than ${MOST_LINES} lines`,
} as const;

/** The limit that the file exceeds, found before parsing, in turns of a few milliseconds. */
async function findExcess(
  format: PolicyFileFormat,
  bytes: Uint8Array,
): Promise<'values' | 'depth' | 'lines' | undefined> {
  const bounds = { values: MAX_POLICY_VALUES, depth: JSON_DEPTH_MAX, lines: MOST_LINES };
  if (format === 'json') return new JsonScanner(bounds).scan(bytes);
  return inTurns(findYamlExcess(new TextDecoder().decode(bytes), bounds));
}

function refuseForbiddenNames(format: PolicyFileFormat, value: unknown): unknown {
  const name = findForbiddenName(value);
  if (name === undefined) return value;
  throw unreadable(format, `the member name ${name} is not allowed`);
}

function formatOf(name: string, bytes: Uint8Array): PolicyFileFormat {
  if (/\.json$/i.test(name)) return 'json';
  if (/\.ya?ml$/i.test(name)) return 'yaml';
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  return /^\s*[[{]/.test(head) ? 'json' : 'yaml';
}

function unreadable(format: PolicyFileFormat, reason: string, errors: readonly FieldProblem[] = []): Error {
  const facts = { format: FORMAT_NAMES[format], reason: `${reason.replace(/\.$/, '')}.` };
  const problems = errors.length > 0 ? errors : [{ pointer: '', code: 'unreadable', detail: reason }];
  return policyErrors.unreadable_file(facts, { errors: problems });
}
