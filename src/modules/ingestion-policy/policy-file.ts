import { LineCounter, parseDocument, stringify } from 'yaml';
import type { FieldProblem } from '#libs/common';
import { policyErrors } from './ingestion-policy.errors.js';
import type { IngestionPolicy } from './ingestion-policy.entity.js';

export const POLICY_FILE_FORMATS = ['json', 'yaml'] as const;
export type PolicyFileFormat = (typeof POLICY_FILE_FORMATS)[number];

/** Most places that aliases (`*name`) may fill in all: a file of a few lines can otherwise stand for gigabytes. */
const MOST_ALIASES = 100;
/** More values than any file without aliases can hold that is small enough to be read. */
const MOST_VALUES = 50_000;
const FORMAT_NAMES: Readonly<Record<PolicyFileFormat, string>> = { json: 'JSON', yaml: 'YAML' };

/** The policy as text of a file that `parsePolicyFile` reads. */
export function writePolicyFile(policy: IngestionPolicy, format: PolicyFileFormat): string {
  return format === 'yaml' ? stringify(policy) : `${JSON.stringify(policy, null, 2)}\n`;
}

/**
 * What a file says, unchecked. The format follows from the extension of `name`, else from the content: JSON begins with a brace.
 * @throws `ingestion_policy.unreadable_file` with the place of every error
 */
export function parsePolicyFile(name: string, content: Uint8Array): unknown {
  const text = decode(content);
  const format = formatOf(name, text);
  if (text.trim() === '') throw unreadable(format, 'it is empty', []);
  return format === 'json' ? parseJson(text) : parseYaml(text);
}

function formatOf(name: string, text: string): PolicyFileFormat {
  if (/\.json$/i.test(name)) return 'json';
  if (/\.ya?ml$/i.test(name)) return 'yaml';
  return /^\s*[[{]/.test(text) ? 'json' : 'yaml';
}

function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) throw policyErrors.unreadable_file({ format: 'text', reason: 'it is not UTF-8.' });
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadable('json', error.message, [{ pointer: '', code: 'syntax', detail: error.message }]);
  }
}

function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(text, { schema: 'core', stringKeys: true, prettyErrors: false, lineCounter });
    const faults = [...document.errors, ...document.warnings].map(({ message, pos }): FieldProblem => {
      const { line, col } = lineCounter.linePos(pos[0]);
      return { pointer: '', code: 'syntax', detail: `line ${line}, column ${col}: ${message}` };
    });
    if (faults.length > 0) throw unreadable('yaml', faults[0]!.detail, faults.slice(0, 100));
    return unfold(document.toJS({ maxAliasCount: MOST_ALIASES }));
  } catch (error) {
    // The parser reports too many aliases, and nesting deeper than its stack, in this way.
    if (error instanceof ReferenceError) throw unreadable('yaml', 'its aliases stand for too much', []);
    if (error instanceof RangeError) throw unreadable('yaml', 'it is nested too deeply', []);
    throw error;
  }
}

/** The value with a copy wherever an alias stood, which may not stand within what it names. */
function unfold(value: unknown): unknown {
  const ancestors = new Set<unknown>();
  let count = 0;
  const copy = (inner: unknown): unknown => {
    if (++count > MOST_VALUES) throw unreadable('yaml', 'its aliases stand for too much', []);
    if (typeof inner !== 'object' || inner === null) return inner;
    if (ancestors.has(inner)) throw unreadable('yaml', 'an alias stands within what it names', []);
    ancestors.add(inner);
    const copied: unknown = Array.isArray(inner)
      ? inner.map(copy)
      : Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, copy(each)]));
    ancestors.delete(inner);
    return copied;
  };
  return copy(value);
}

function unreadable(format: PolicyFileFormat, reason: string, errors: readonly FieldProblem[]): Error {
  const facts = { format: FORMAT_NAMES[format], reason: `${reason.replace(/\.$/, '')}.` };
  const problems = errors.length > 0 ? errors : [{ pointer: '', code: 'unreadable', detail: reason }];
  return policyErrors.unreadable_file(facts, { errors: problems });
}
