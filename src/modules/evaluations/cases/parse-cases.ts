import { isUuid, toNormalForm, type FieldProblem } from '#libs/common';
import { validationFailed } from '#libs/http';
import {
  MAX_CASES,
  MAX_EXPECTED_ANSWER,
  MAX_QUERY,
  MAX_RELEVANT,
  MAX_TAG,
  MAX_TAGS,
  type EvaluationCase,
  type RelevantItem,
} from './evaluation-case.js';

/** Maximum number of problems; the rest of the request is not checked. */
const MOST_PROBLEMS = 20;
const CASE_FIELDS = [
  'query',
  'relevant',
  'expected_answer',
  'answerable',
  'tags',
  'generated',
  'approved',
  'source_document_id',
  'place',
  'outdated',
];
const RELEVANT_FIELDS = ['document_id', 'chunk_id', 'text'];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Cases of a request with all defaults. They are checked without decorators, which would block the thread too long for 2,000 cases.
 * @throws `http.validation_failed` with a pointer to each problem
 */
export function parseCases(list: readonly unknown[], pointer: string): EvaluationCase[] {
  const problems: FieldProblem[] = [];
  const reader = new CaseReader(problems);
  if (list.length === 0) reader.say(pointer, 'array_min_size', 'must hold at least one case');
  if (list.length > MAX_CASES) reader.say(pointer, 'array_max_size', `must hold at most ${MAX_CASES} cases`);
  const cases: EvaluationCase[] = [];
  const seen = new Map<string, number>();
  for (const [index, value] of list.slice(0, MAX_CASES).entries()) {
    if (problems.length >= MOST_PROBLEMS) break;
    const at = `${pointer}/${index}`;
    const one = reader.readCase(value, at);
    if (one === undefined) continue;
    const key = queryKey(one.query);
    const former = seen.get(key);
    if (former !== undefined)
      reader.say(
        `${at}/query`,
        'unique',
        `is already the query of case ${former}; put all relevant items into one case`,
      );
    seen.set(key, index);
    cases.push(one);
  }
  if (problems.length > 0) throw validationFailed(problems);
  return cases;
}

/** Two queries with one key are the same question. */
export function queryKey(query: string): string {
  return toNormalForm(query, 'NFKC').replace(/\s+/gu, ' ').trim();
}

class CaseReader {
  constructor(private readonly problems: FieldProblem[]) {}

  say(pointer: string, code: string, detail: string): undefined {
    this.problems.push({ pointer, code, detail });
    return undefined;
  }

  readCase(value: unknown, at: string): EvaluationCase | undefined {
    if (!isObject(value)) return this.say(at, 'is_object', 'must be an object');
    const before = this.problems.length;
    this.refuseUnknown(value, CASE_FIELDS, at);
    const query = this.readText(value['query'], `${at}/query`, MAX_QUERY, true) ?? '';
    const expected = this.readText(value['expected_answer'] ?? undefined, `${at}/expected_answer`, MAX_EXPECTED_ANSWER);
    const answerable = this.readFlag(value['answerable'], `${at}/answerable`, true);
    const generated = this.readFlag(value['generated'], `${at}/generated`, false);
    const approved = this.readFlag(value['approved'], `${at}/approved`, !generated);
    const relevant = this.readRelevant(value['relevant'], `${at}/relevant`);
    const tags = this.readTags(value['tags'], `${at}/tags`);
    const source = this.readUuid(value['source_document_id'] ?? undefined, `${at}/source_document_id`);
    if (answerable && relevant.length === 0 && expected === undefined && this.problems.length === before)
      this.say(`${at}/relevant`, 'required', 'give relevant items, expected_answer or "answerable": false');
    if (!answerable && relevant.length > 0)
      this.say(`${at}/relevant`, 'array_max_size', 'must be empty for a case that is not answerable');
    if (this.problems.length > before) return undefined;
    const made = { query, relevant, expected_answer: expected ?? null, answerable, tags, generated, approved };
    return source === undefined ? made : { ...made, source_document_id: source };
  }

  private readRelevant(value: unknown, at: string): RelevantItem[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return (this.say(at, 'is_array', 'must be a list'), []);
    if (value.length > MAX_RELEVANT)
      return (this.say(at, 'array_max_size', `must hold at most ${MAX_RELEVANT} items`), []);
    const items = new Map<string, RelevantItem>();
    value.forEach((one: unknown, index) => {
      const item = this.readItem(one, `${at}/${index}`);
      if (item !== undefined) items.set(JSON.stringify(item), item);
    });
    return [...items.values()];
  }

  private readItem(value: unknown, at: string): RelevantItem | undefined {
    if (!isObject(value)) return this.say(at, 'is_object', 'must be an object with document_id, chunk_id or text');
    this.refuseUnknown(value, RELEVANT_FIELDS, at);
    if (RELEVANT_FIELDS.every((field) => value[field] === undefined))
      return this.say(at, 'required', 'name at least one of document_id, chunk_id and text');
    const document = this.readUuid(value['document_id'], `${at}/document_id`);
    const chunk = this.readUuid(value['chunk_id'], `${at}/chunk_id`);
    const text = this.readText(value['text'], `${at}/text`, MAX_QUERY);
    return {
      ...(document === undefined ? {} : { document_id: document }),
      ...(chunk === undefined ? {} : { chunk_id: chunk }),
      ...(text === undefined ? {} : { text }),
    };
  }

  private readTags(value: unknown, at: string): string[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return (this.say(at, 'is_array', 'must be a list'), []);
    if (value.length > MAX_TAGS) return (this.say(at, 'array_max_size', `must hold at most ${MAX_TAGS} tags`), []);
    const tags = value.map((tag: unknown, index) => this.readText(tag, `${at}/${index}`, MAX_TAG, true) ?? '');
    return [...new Set(tags)];
  }

  private readText(value: unknown, at: string, most: number, required = false): string | undefined {
    if (value === undefined && !required) return undefined;
    if (value === undefined) return this.say(at, 'required', 'is missing');
    if (typeof value !== 'string') return this.say(at, 'is_string', 'must be a text');
    if (value.length > most) return this.say(at, 'max_length', `must have at most ${most} characters`);
    if (!/\S/u.test(value)) return this.say(at, 'matches', 'must contain more than white space');
    return value;
  }

  private readUuid(value: unknown, at: string): string | undefined {
    if (value === undefined) return undefined;
    if (!isUuid(value)) return this.say(at, 'is_uuid', 'must be a UUID');
    return value.toLowerCase();
  }

  private readFlag(value: unknown, at: string, otherwise: boolean): boolean {
    if (value === undefined) return otherwise;
    if (typeof value === 'boolean') return value;
    this.say(at, 'is_boolean', 'must be true or false');
    return otherwise;
  }

  private refuseUnknown(value: Fields, known: readonly string[], at: string): void {
    for (const name of Object.keys(value))
      if (!known.includes(name))
        this.say(
          `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          'unknown_field',
          `unknown field; known: ${known.join(', ')}`,
        );
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
