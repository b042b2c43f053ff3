import type { ScoreRow } from '../jobs/evaluation-results.repository.js';
import type { GateResult } from '../scoring/job-summary.js';
import { each, markup, NOTHING, type Markup } from './markup.js';
import { demandOf, failingCasesOf, figure, outcomeOf, type FailingCase, type ReportContent } from './report-content.js';

/** Cases that a failed gate names. */
const MOST_NAMED = 50;
const QUERY_CHARACTERS = 200;

interface Suite {
  readonly name: string;
  readonly tests: readonly TestCase[];
}

interface TestCase {
  readonly name: string;
  readonly seconds: number;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

/**
 * JUnit XML: a suite `gates` with a test for each gate, then a suite for each variant with a test for each case. Only failed gates, and the cases
 * that count against them, are failures: a report in which every gate passes has none. Inconclusive gates, and misses that count against no
 * failed gate, are skipped tests with the reason. A failed search is an error.
 */
export function* reportJunit(content: ReportContent): Generator<string> {
  const failing = new Map<string, Map<number, string>>();
  const gates = content.summary.gates.map((gate) => testOfGate(gate, content, failing));
  const suites = [
    { name: 'gates', tests: gates },
    ...content.summary.variants.map(({ name }, variant) => ({
      name,
      tests: content.scores
        .filter((row) => row.variant === variant)
        .map((row) => testOfCase(row, content, failing.get(name)?.get(row.ordinal))),
    })),
  ];
  const all = suites.flatMap(({ tests }) => tests);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield markup`<testsuites name="${content.job.name}" ${countsOf(all)}>\n`.text;
  for (const suite of suites) yield* writeSuite(suite);
  yield '</testsuites>\n';
}

function* writeSuite({ name, tests }: Suite): Generator<string> {
  yield markup`<testsuite name="${name}" ${countsOf(tests)}>\n`.text;
  for (const test of tests)
    yield markup`<testcase classname="${name}" name="${test.name}" time="${test.seconds.toFixed(3)}">${bodyOf(test)}</testcase>\n`
      .text;
  yield '</testsuite>\n';
}

function bodyOf({ outcome, type, message, text }: TestCase): Markup {
  switch (outcome) {
    case 'passed':
      return NOTHING;
    case 'failure':
      return markup`<failure type="${type}" message="${message}">${text}</failure>`;
    case 'error':
      return markup`<error type="${type}" message="${message}">${text}</error>`;
    case 'skipped':
      return markup`<skipped message="${message}"/>`;
  }
}

function countsOf(tests: readonly TestCase[]): Markup {
  const count = (outcome: TestCase['outcome']): number => tests.filter((test) => test.outcome === outcome).length;
  const seconds = tests.reduce((sum, test) => sum + test.seconds, 0);
  return each(
    [
      ['tests', String(tests.length)],
      ['failures', String(count('failure'))],
      ['errors', String(count('error'))],
      ['skipped', String(count('skipped'))],
      ['time', seconds.toFixed(3)],
    ] as const,
    ([key, value], index) => markup`${index === 0 ? '' : ' '}${key}="${value}"`,
  );
}

function testOfGate(gate: GateResult, content: ReportContent, failing: Map<string, Map<number, string>>): TestCase {
  const cases = gate.verdict === 'fail' ? failingCasesOf(gate, content) : [];
  const ofVariant = failing.get(gate.variant) ?? new Map<number, string>();
  failing.set(gate.variant, ofVariant);
  for (const { ordinal, value } of cases)
    ofVariant.set(ordinal, `${gate.metric} ${figure(value)} counts against the gate "${demandOf(gate)}"`);
  const outcome = ({ pass: 'passed', fail: 'failure', inconclusive: 'skipped' } as const)[gate.verdict];
  const message = `${gate.verdict}: ${outcomeOf(gate)}`;
  return { name: demandOf(gate), seconds: 0, outcome, type: gate.kind, message, text: namesOf(cases, content) };
}

function namesOf(cases: readonly FailingCase[], content: ReportContent): string {
  const named = cases.slice(0, MOST_NAMED).map(({ ordinal, value }) => `${nameOf(ordinal, content)}: ${figure(value)}`);
  const rest = cases.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function nameOf(ordinal: number, { cases }: ReportContent): string {
  return `${ordinal} ${(cases[ordinal]?.query ?? '').slice(0, QUERY_CHARACTERS)}`;
}

function testOfCase(row: ScoreRow, content: ReportContent, refused: string | undefined): TestCase {
  const test = { name: nameOf(row.ordinal, content), seconds: (row.latency_ms + (row.answer?.latency_ms ?? 0)) / 1000 };
  const miss = row.miss === null ? '' : `nothing relevant was found: ${row.miss.code}`;
  const said = (outcome: TestCase['outcome'], type: string, message: string): TestCase => ({
    ...test,
    outcome,
    type,
    message,
    text: miss,
  });
  if (row.error_code !== null) return said('error', row.error_code, 'the search failed');
  const unanswered = row.answer?.error_code ?? null;
  if (unanswered !== null) return said('error', unanswered, 'the chat failed');
  if (refused !== undefined) return said('failure', row.miss?.code ?? 'gate', refused);
  if (miss !== '') return said('skipped', '', miss);
  const isJudged = Object.values(row.metrics).some((value) => value !== null);
  return isJudged ? said('passed', '', '') : said('skipped', '', 'the case names nothing that is relevant');
}
