import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

interface Field {
  readonly enum?: readonly (string | null)[];
  readonly description?: string;
  readonly items?: Field;
}
interface Description {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Field>> } & Field>>;
  };
}

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const { schemas } = (JSON.parse(read('docs/openapi.json')) as Description).components;
const fieldOf = (schema: string, name: string): Field => schemas[schema]!.properties![name]!;

/** The values that a field of the interface may have. */
function valuesOf(schema: string, name: string): readonly string[] {
  const field = fieldOf(schema, name);
  return (field.enum ?? field.items?.enum ?? []).filter((value) => value !== null);
}

/** Codes that the description of a field names. */
const namedIn = (schema: string, name: string, code: RegExp): readonly string[] => [
  ...new Set([...fieldOf(schema, name).description!.matchAll(code)].map(([, value]) => value!)),
];

const CONSTANT = /`([A-Z]+(?:_[A-Z]+)+)`/g;

function sourcesOf(folder: string, name: RegExp): readonly string[] {
  const path = fileURLToPath(new URL(folder, ROOT));
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !/spec\.tsx?$|testing/.test(file))
    .map((file) => readFileSync(`${path}/${file}`, 'utf8'));
}

/** Codes of a warning or of a failure that a parser gives. */
const PARSED = new Set(
  sourcesOf('libs/parsing/src', /\.ts$/).flatMap((source) =>
    [...source.matchAll(/\bcode: '([A-Z]+(?:_[A-Z]+)*)'/g)].map(([, code]) => code!),
  ),
);
/** Of the operating system, and what is turned into another code. */
const INNER: ReadonlySet<string> = new Set(['ENOENT']);
const ADVICE = sourcesOf('src/modules/documents/health', /dataset-advice\.ts$/).flatMap((source) =>
  [...source.matchAll(/\bcode: '([A-Z_]+)'/g)].map(([, code]) => code!),
);

/** What the console calls by words of its own, and where the interface says which there are. */
const FAMILIES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['role', 'roleMay'], valuesOf('InviteMemberDto', 'role')],
  [['scope'], valuesOf('CreateApiKeyDto', 'scopes')],
  [['sight', 'sightMeans'], valuesOf('Dataset', 'acl')],
  [['failure'], namedIn('DocumentErrorDto', 'code', /^- `([\w.]+)`:/gm)],
  [['warning'], namedIn('DocumentWarningDto', 'code', CONSTANT)],
  [['wait'], namedIn('DocumentStatus', 'waiting_reason', /`([a-z_]+)`/g)],
  [['stage'], valuesOf('DocumentListItem', 'current_stage')],
  [['advised', 'advisedWhy'], [...new Set(ADVICE)]],
  [['quality'], valuesOf('DatasetHealth', 'status')],
  [['entity'], schemas['EntityType']!.enum as readonly string[]],
  [['finding'], valuesOf('GovernanceFinding', 'action')],
  [['method'], valuesOf('SearchRequestDto', 'search_method')],
  [['notice'], valuesOf('SearchWarning', 'code')],
  [['reason'], valuesOf('ExplainResponse', 'code')],
  [['verdict'], valuesOf('ExplainResponse', 'verdict')],
  [['action'], valuesOf('ExplainSuggestion', 'action')],
  [['funnel'], valuesOf('ExplainStage', 'stage')],
  [['refusal'], valuesOf('ChatRefusal', 'code')],
  [['withheld', 'withheldWhy'], valuesOf('WithheldAnswer', 'code')],
  [['measure'], valuesOf('ChatTableMeasure', 'function')],
  [['metric'], valuesOf('CreateEvaluationRequest', 'metrics')],
  [['evaluationState'], valuesOf('EvaluationJobHead', 'status')],
  [['evaluationVerdict'], valuesOf('GateResultDto', 'verdict')],
];

describe.each(['en', 'de'])('in %s', (language) => {
  const texts = JSON.parse(read(`console/src/texts/${language}.json`)) as Readonly<Record<string, string>>;

  it.each(FAMILIES)('each %s of the interface has its words', (families, values) => {
    expect(values.length).toBeGreaterThan(1);
    expect(families.flatMap((family) => values.filter((value) => !(`${family}.${value}` in texts)))).toEqual([]);
  });

  it('each code of a parser has its words', () => {
    expect(PARSED.size).toBeGreaterThan(20);
    const known = (code: string): boolean => [`warning.${code}`, `failure.${code}`].some((key) => key in texts);
    expect([...PARSED].filter((code) => !INNER.has(code) && !known(code))).toEqual([]);
  });
});

it('codes that have words are known to the pages', () => {
  const pages = sourcesOf('console/src', /\.tsx?$/).join('\n');
  const texts = Object.keys(JSON.parse(read('console/src/texts/en.json')) as object);
  const codes = texts
    .filter((key) => /^(warning|failure|notice|reason|action|refusal|advised|wait)\./.test(key))
    .map((key) => key.slice(key.indexOf('.') + 1));
  expect(codes.length).toBeGreaterThan(50);
  const written = (code: string): boolean => pages.includes(`'${code}'`) || pages.includes(`.${code}'`);
  expect(codes.filter((code) => !written(code))).toEqual([]);
});
