import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FieldProblem, JsonValue } from '#libs/common';
import { findBrokenText } from '#libs/http';
import { MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from '#libs/text';
import { DEFAULT_POLICY, type IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { policyErrors } from '../ingestion-policy.errors.js';
import { toFieldProblem } from './policy-problems.js';
import { fieldOf, findBrokenRules } from './policy-rules.js';
import { INGESTION_POLICY_SCHEMA } from '../schema/policy-schema.js';

/** Maximum size of a policy as JSON in bytes; the largest policy that fits the schema is smaller. */
export const MAX_POLICY_BYTES = 64 * 1024;

export type PolicyCheck =
  { readonly policy: IngestionPolicy } | { readonly policy?: undefined; readonly problems: readonly FieldProblem[] };

let compiled: ValidateFunction | undefined;

/** Validates and fills defaults into its input. Compiled at the first use, so that the start does not wait for it. */
function validator(): ValidateFunction {
  compiled ??= new Ajv2020({ allErrors: true, useDefaults: true, verbose: true, allowUnionTypes: true }).compile(
    INGESTION_POLICY_SCHEMA,
  );
  return compiled;
}

/**
 * The policy with its defaults filled in, or all its problems. `input` is not modified.
 * @throws `ingestion_policy.too_large`
 */
export function checkPolicy(input: unknown): PolicyCheck {
  const broken = findBrokenText(input, '');
  if (broken.some(({ code }) => code === 'max_depth')) return { problems: broken };
  if (Buffer.byteLength(JSON.stringify(input) ?? '') > MAX_POLICY_BYTES) {
    throw policyErrors.too_large({ limit: MAX_POLICY_BYTES });
  }
  const candidate = copyOf(input);
  fitOverlap(candidate);
  const validate = validator();
  const fits = validate(candidate);
  const misfits = (validate.errors ?? []).flatMap((error) => toFieldProblem(error));
  const said = new Set(broken.map(({ pointer }) => pointer));
  const others = misfits.filter(({ pointer }) => !said.has(pointer));
  const problems = [...broken, ...others, ...findBrokenRules(candidate)];
  return fits && problems.length === 0 ? { policy: candidate as unknown as IngestionPolicy } : { problems };
}

/** The validated policy. @throws `ingestion_policy.invalid` (400) with every problem, `ingestion_policy.too_large` */
export function requireValidPolicy(input: unknown, parent = ''): IngestionPolicy {
  const checked = checkPolicy(input);
  if (checked.policy !== undefined) return checked.policy;
  throw invalidPolicy(checked.problems.map((problem) => ({ ...problem, pointer: parent + problem.pointer })));
}

export function invalidPolicy(problems: readonly FieldProblem[]): Error {
  const shown = problems.slice(0, 3).map(({ pointer, detail }) => `${pointer || 'the policy'}: ${detail}`);
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
  return policyErrors.invalid({ summary: `${shown.join('; ')}${more}.` }, { errors: problems });
}

/** A stored policy with the fields that were added to the schema later. */
export function completePolicy(stored: object): IngestionPolicy {
  const policy = copyOf(stored);
  validator()(policy);
  return orderedLike(DEFAULT_POLICY as unknown as JsonValue, policy) as unknown as IngestionPolicy;
}

/** Puts fields into the order of the schema, because the database sorts them in its own way. */
function orderedLike(model: JsonValue | undefined, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = value as Readonly<Record<string, JsonValue>>;
  const names = [...Object.keys(model ?? {}).filter((name) => Object.hasOwn(fields, name)), ...Object.keys(fields)];
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, orderedLike(fieldOf(model, name), fields[name]!)]),
  );
}

/** A deep copy without shared objects: a YAML alias is one object in two places. */
function copyOf(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
}

/** The default of the overlap is reduced to stay below half of a small chunk size. */
function fitOverlap(candidate: JsonValue): void {
  const chunking = fieldOf(candidate, 'chunking');
  const size = fieldOf(chunking, 'chunk_size');
  if (fieldOf(chunking, 'chunk_overlap') !== undefined || !Number.isInteger(size)) return;
  if (Number(size) < MIN_CHUNK_TOKENS || Number(size) > MAX_CHUNK_TOKENS) return;
  const overlap = Math.min(DEFAULT_POLICY.chunking.chunk_overlap, Math.ceil(Number(size) / 2) - 1);
  Object.assign(chunking as object, { chunk_overlap: overlap });
}
