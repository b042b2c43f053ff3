import type { FieldProblem, JsonValue } from '#libs/common';
import { canonicalCharset } from '#libs/parsing';
import { MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from '#libs/text';

/** Rules that a JSON Schema cannot express. The input is unchecked; values of a wrong type are left to the schema. */
export function findBrokenRules(policy: JsonValue): FieldProblem[] {
  return [
    ...overlapProblems(policy),
    ...charsetProblems(policy),
    ...detectorProblems(policy),
    ...candidateProblems(policy),
  ];
}

/** The value of an object's own field; undefined where there is none. */
export function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
}

function overlapProblems(policy: JsonValue): FieldProblem[] {
  const chunking = fieldOf(policy, 'chunking');
  const size = fieldOf(chunking, 'chunk_size');
  const overlap = fieldOf(chunking, 'chunk_overlap');
  // YAML has `.nan`, which is within no bounds and not less than anything.
  if (typeof size !== 'number' || !(size >= MIN_CHUNK_TOKENS && size <= MAX_CHUNK_TOKENS)) return [];
  if (typeof overlap !== 'number' || Number.isNaN(overlap) || overlap * 2 < size) return [];
  const most = Math.ceil(size / 2) - 1;
  const detail = `must be less than half of chunk_size (${size}): use ${most} or less, or a larger chunk_size`;
  return [{ pointer: '/chunking/chunk_overlap', code: 'less_than_half', detail }];
}

function charsetProblems(policy: JsonValue): FieldProblem[] {
  const parsing = fieldOf(policy, 'parsing');
  const named: [string, JsonValue | undefined][] = [
    ['/parsing/charset', fieldOf(parsing, 'charset')],
    ...Object.entries(fieldOf(parsing, 'types') ?? {}).map(([type, options]): [string, JsonValue | undefined] => [
      `/parsing/types/${type.replaceAll('~', '~0').replaceAll('/', '~1')}/charset`,
      fieldOf(options as JsonValue, 'charset'),
    ]),
  ];
  return named.flatMap(([pointer, label]) => {
    if (typeof label !== 'string' || label === '' || canonicalCharset(label) !== undefined) return [];
    const detail = `is not a known encoding; use a WHATWG label such as utf-8, windows-1252 or shift_jis, or null`;
    return [{ pointer, code: 'known_charset', detail }];
  });
}

function candidateProblems(policy: JsonValue): FieldProblem[] {
  const defaults = fieldOf(policy, 'retrieval_defaults');
  const [topK, candidateK] = [fieldOf(defaults, 'top_k'), fieldOf(defaults, 'candidate_k')];
  if (typeof topK !== 'number' || typeof candidateK !== 'number' || !(candidateK < topK)) return [];
  const detail = `must not be less than top_k (${topK})`;
  return [{ pointer: '/retrieval_defaults/candidate_k', code: 'min', detail }];
}

function detectorProblems(policy: JsonValue): FieldProblem[] {
  const detectors = fieldOf(fieldOf(policy, 'governance'), 'detectors');
  const seen = new Set<JsonValue>();
  return (Array.isArray(detectors) ? (detectors as JsonValue[]) : []).flatMap((detector, index) => {
    const type = fieldOf(detector, 'entity_type');
    if (type === undefined || !seen.has(type)) {
      seen.add(type ?? null);
      return [];
    }
    const detail = 'has a detector already; keep one for each entity_type';
    return [{ pointer: `/governance/detectors/${index}/entity_type`, code: 'unique', detail }];
  });
}
