/** Requests, questions and answers: values of as many members, or texts of as many characters, as asked for. */
import { fill, numbered } from './growth-text.mjs';

const { canonicalJson } = await import('../../dist/libs/common/src/json.js');
const { parseParameters } = await import('../../dist/libs/http/src/multipart-headers.js');
const { findBrokenText } = await import('../../dist/libs/http/src/validation.js');
const { hashRequest } = await import('../../dist/libs/http/src/idempotency.service.js');
const { JsonScanner } = await import('../../dist/libs/http/src/body/json-scanner.js');
const answering = await import('../../dist/libs/answering/src/index.js');
const ranking = await import('../../dist/libs/ranking/src/index.js');
const text = await import('../../dist/libs/text/src/index.js');
const { matchesFilter } = await import('../../dist/libs/vector-store/src/filter.js');
const { fileNameOf } = await import('../../dist/src/modules/documents/record/file-name.js');
const { normaliseTags, problemsOfMetadata } = await import('../../dist/src/modules/documents/record/document-facts.js');
const { mergePatch } = await import('../../dist/src/modules/datasets/record/merge-patch.js');
const { checkPolicy } = await import('../../dist/src/modules/ingestion-policy/rules/policy-validation.js');
const { diffPolicies } = await import('../../dist/src/modules/ingestion-policy/versions/policy-diff.js');
const { parseFilter } = await import('../../dist/src/modules/retrieval/request/parse-filter.js');

const KIB = 1024;
/** Bounds of the interface. */
const QUERY = 4_096;
const MESSAGE = 100_000;
const VALUES = 20_000;
const METADATA = 64 * KIB;

const one = (name, bound, prepare, step, ...more) => ({
  name,
  bound,
  prepare,
  steps: [step, ...more].map((work) => [work.name || 'run', work]),
});
const times = (count, make) => Array.from({ length: Math.max(1, Math.floor(count)) }, (_, n) => make(n));
const members = (count) => Object.fromEntries(times(count, (n) => [`k${(n * 7919) % 1_000_003}`, n]));
/** A step that is taken often enough to be measured. */
function often(count, work) {
  return function run(given) {
    for (let time = 0; time < count; time += 1) work(given);
  };
}
/** A step whose refusal is what is measured. */
function refusing(work) {
  return function run(given) {
    try {
      return work(given);
    } catch (error) {
      if (error.code === undefined) throw error;
      return undefined;
    }
  };
}

const FACTS = {
  documentId: '01934b7e-0000-7000-8000-000000000001',
  documentName: 'a',
  mediaType: 'text/plain',
  language: null,
  createdAt: '2026-01-01T00:00:00Z',
  tags: [],
};
const filterOf = (conditions, values) => ({
  type: 'or',
  filters: times(conditions, (n) => ({
    type: 'in',
    key: `metadata.k${n % 10}`,
    value: times(values, (k) => `v${n}-${k}`),
  })),
});
const chunkOf = (size) => ({ ...FACTS, metadata: { k0: times(size / 8, (n) => `m${n}`) } });

/** @type {[name: string, of: (length: number) => string][]} */
const QUESTIONS = [
  ['words', (n) => numbered((k) => `w${k} `, n).slice(0, n)],
  ['one word', (n) => fill('w', n)],
  ['digits', (n) => fill('1', n)],
  ['numbers', (n) => fill('1-', n)],
  ['one word again and again', (n) => fill('night ', n)],
  ['white space', (n) => `a${fill(' ', n - 2)}b`],
  ['ideographs', (n) => times(n, (k) => String.fromCharCode(0x4e00 + k)).join('')],
  ['Thai', (n) => fill('\u0e01\u0e34', n)],
  ['brackets', (n) => fill('(', n)],
  ['hyphens', (n) => fill('a-', n)],
  ['question marks', (n) => fill('?', n)],
  ['pronouns', (n) => fill('is that ', n)],
  ['marks', (n) => `a${fill('\u0301\u0323', n)}`],
];

/** @type {[name: string, of: (length: number) => string][]} */
const ANSWERS = [
  ['markers', (n) => fill('It is so [1]. ', n)],
  ['markers in one sentence', (n) => fill('so [1] ', n)],
  ['markers to nothing', (n) => fill('so [9] ', n)],
  ['open brackets', (n) => fill('[', n)],
  ['brackets of digits', (n) => fill('[1,', n)],
  ['code and markers', (n) => fill('`a` [1] ', n)],
  ['back quotes', (n) => fill('`', n)],
  ['fences', (n) => fill('```\n', n)],
  ['white space', (n) => `a${fill(' ', n)}b [1]`],
  ['full stops', (n) => fill('.', n)],
  ['closing brackets', (n) => `${fill(')', n)}x`],
];

/** @type {[name: string, of: (length: number) => string][]} */
const SOURCES = [
  ['closing brackets', (n) => `${fill(')', n)}x`],
  ['white space', (n) => `night${fill(' ', n)}night`],
  ['one word', (n) => fill('night ', n)],
  ['sentences', (n) => fill('The night is long. ', n)],
  ['sentences, distinct', (n) => numbered((k) => `Night w${k} is v${k}. `, n)],
  ['marks of lists', (n) => `${fill('- ', n)}night`],
  ['numbers', (n) => fill('night 1 ', n)],
];
const asSources = (content) => [{ number: 1, text: content, score: 1 }];

export const VALUE_CASES = [
  one('metadata: sorted', VALUES, members, often(5, canonicalJson)),
  one(
    'metadata: looked through',
    VALUES,
    members,
    often(5, (value) => findBrokenText(value, '')),
  ),
  one(
    'metadata: broken',
    VALUES,
    (n) => times(n, () => '\u0000'),
    often(5, (value) => findBrokenText(value, '')),
  ),
  one(
    'metadata: long names',
    512,
    (n) => Object.fromEntries(times(n, (k) => [fill(`~/${k}`, 2_000), 1])),
    often(5, (value) => findBrokenText(value, '')),
  ),
  one('metadata: judged', METADATA, (n) => members(n / 16), often(5, problemsOfMetadata)),
  one(
    'metadata: merged',
    VALUES,
    (n) => ({ target: members(n), patch: members(n) }),
    often(5, ({ target, patch }) => mergePatch(target, patch)),
  ),
  one('key: hashed', VALUES, members, (body) => hashRequest('/a', body, 's')),
  one(
    'key: quotes',
    1_024 * KIB,
    (n) => ({ a: fill('"pass', n) }),
    (body) => hashRequest('/a', body, 's'),
  ),
  one(
    'key: letters',
    1_024 * KIB,
    (n) => ({ a: fill('p', n) }),
    (body) => hashRequest('/a', body, 's'),
  ),
  one(
    'JSON: scanned',
    1_024 * KIB,
    (n) => Buffer.from(fill('[1,"a\\"",{', n)),
    (bytes) => new JsonScanner({ values: 1e9, depth: 1e9 }).scan(bytes),
  ),
  one('tags', VALUES, (n) => times(n, (k) => ` t${k} `), often(5, normaliseTags)),
  one('header: parameters', 16 * KIB, (n) => `a${fill(';a="\\"', n)}`, often(20, parseParameters)),
  one('header: quotes', 16 * KIB, (n) => `a${fill(';a="', n)}`, often(20, parseParameters)),
  one('header: spaces', 16 * KIB, (n) => `a;${fill(' ', n)}`, often(20, parseParameters)),
  one(
    'file name',
    16 * KIB,
    (n) => Buffer.from(fill('a. /', n)),
    often(20, (plain) => fileNameOf({ plain })),
  ),
  one(
    'file name, extended',
    16 * KIB,
    (n) => Buffer.from(`utf-8''${fill('%', n)}`),
    often(20, (extended) => fileNameOf({ extended })),
  ),
  one(
    'filter: values',
    500,
    (n) => filterOf(38, n),
    refusing((filter) => parseFilter(filter, '')),
  ),
  one(
    'filter: conditions',
    100,
    (n) => filterOf(n, 190),
    refusing((filter) => parseFilter(filter, '')),
  ),
  one(
    'filter: groups',
    VALUES / 3,
    (n) => ({ type: 'and', filters: times(n / 90, () => ({ type: 'or', filters: times(90, () => ({ type: 'x' })) })) }),
    often(
      10,
      refusing((filter) => parseFilter(filter, '')),
    ),
  ),
  one(
    'filter: unknown fields',
    VALUES,
    members,
    often(
      3,
      refusing((filter) => parseFilter(filter, '')),
    ),
  ),
  one(
    'filter: long list of a document',
    METADATA,
    chunkOf,
    often(20, (chunk) => matchesFilter(filterOf(38, 500), chunk)),
  ),
  one(
    'filter: values judged',
    500,
    (n) => filterOf(38, n),
    often(20, (filter) => matchesFilter(filter, chunkOf(METADATA))),
  ),
  one('policy: unknown fields', METADATA, (n) => members(n / 16), often(3, refusing(checkPolicy))),
  one(
    'policy: separators',
    METADATA,
    (n) => ({ chunking: { separators: times(n / 8, (k) => `s${k}`) } }),
    often(3, refusing(checkPolicy)),
  ),
  one(
    'policy: types',
    METADATA,
    (n) => ({ governance: { allowed_types: times(n / 16, (k) => `text/x-${k}`) } }),
    often(3, refusing(checkPolicy)),
  ),
  one(
    'policy: detectors',
    METADATA,
    (n) => ({ governance: { allowed_types: times(n / 40, (k) => `text/x-${k}`) } }),
    often(3, refusing(checkPolicy)),
  ),
  one(
    'policy: parsers',
    METADATA,
    (n) => ({ parsing: { types: Object.fromEntries(times(n / 40, (k) => [`text/x-${k}`, { charset: 'x' }])) } }),
    often(3, refusing(checkPolicy)),
  ),
  one(
    'policy: compared',
    METADATA,
    (n) => [members(n / 16), { ...members(n / 16), a: 1 }],
    often(3, ([from, to]) => diffPolicies(from, to)),
  ),
  ...QUESTIONS.map(([name, of]) =>
    one(
      `query: ${name}`,
      QUERY,
      of,
      often(20, (query) => {
        ranking.candidateTerms(ranking.analyzeQuery(query));
        text.detectLanguage(query);
      }),
    ),
  ),
  ...QUESTIONS.map(([name, of]) =>
    one(`message: ${name}`, MESSAGE, of, (question) =>
      answering.condenseQuestion(
        [
          { role: 'user', content: question },
          { role: 'user', content: 'Why?' },
        ],
        question,
      ),
    ),
  ),
  ...ANSWERS.map(([name, of]) =>
    one(
      `answer: ${name}`,
      64 * KIB,
      of,
      function cite(answer) {
        return answering.resolveCitations(answer, asSources('It is so.'));
      },
      function ground(cited) {
        return answering.measureGrounding(cited.answer, asSources('It is so.'));
      },
    ),
  ),
  ...SOURCES.map(([name, of]) =>
    one(`source of an answer: ${name}`, 32 * KIB, of, (content) =>
      answering.answerExtractively('How long is the night?', asSources(content)),
    ),
  ),
];
