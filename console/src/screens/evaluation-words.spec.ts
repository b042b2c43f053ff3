import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';

interface Answer {
  readonly model: string;
  readonly refusal: string | null;
  readonly error_code: string | null;
}
interface Result {
  readonly results: readonly { readonly relevant: boolean }[];
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly miss: object | null;
  readonly error_code: string | null;
  readonly answer: Answer | null;
}
interface Figure {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}
interface Words {
  caseWords(result: Result): { readonly isGood: boolean; readonly words: readonly string[] };
  figureWords(figure: Figure): string;
  inOrder(metrics: readonly string[]): readonly string[];
  metricWords(metric: string): string;
  stateOf(head: object): object;
  missesOf(summary: object | null): number;
  noMissesWords(summary: object | null): string;
  summaryWords(variant: object): readonly string[];
}

vi.mock('../texts/i18n', () => ({
  t: (key: string, values: object = {}) => [key, ...Object.values(values).map(String)].join(' '),
  currentLanguage: () => 'en',
  formatNumber: String,
}));

// By its path: the types of the page are not those of its specs.
const { caseWords, figureWords, inOrder, metricWords, missesOf, noMissesWords, stateOf, summaryWords } = (await import(
  fileURLToPath(new URL('evaluation-words.ts', import.meta.url))
)) as Words;

const hit = (relevant: boolean) => ({ relevant });
const RESULT: Result = { metrics: {}, results: [hit(false), hit(true)], miss: null, error_code: null, answer: null };
const MISS = { code: 'OUTRANKED' };
const ANSWER: Answer = { model: 'own-words', refusal: null, error_code: null };

describe('a case of an evaluation', () => {
  it('was found at a place, or not, or could not be asked', () => {
    expect(caseWords(RESULT)).toEqual({ isGood: true, words: ['evaluation.foundAt 2'] });
    expect(caseWords({ ...RESULT, results: [hit(false)], miss: MISS })).toEqual({
      isGood: false,
      words: ['evaluation.notFound'],
    });
    expect(caseWords({ ...RESULT, results: [], error_code: 'ai.provider_unavailable' })).toEqual({
      isGood: false,
      words: ['evaluation.notAsked'],
    });
    expect(caseWords({ ...RESULT, results: [] }).words).toEqual(['evaluation.nothingToFind']);
  });

  it('was answered or refused, rightly or not, and says what was expected or not', () => {
    const answered = { ...RESULT, results: [], answer: ANSWER };
    const refused = { ...answered, answer: { ...ANSWER, refusal: 'NOT_ANSWERED' } };
    const told = (result: Result): unknown => [caseWords(result).isGood, ...caseWords(result).words];
    expect(told({ ...answered, metrics: { refusal_accuracy: 1, answer_containment: 1 } })).toEqual([
      true,
      'evaluation.answered',
      'evaluation.contains',
    ]);
    expect(told({ ...answered, metrics: { refusal_accuracy: 1, answer_containment: 0 } })).toEqual([
      false,
      'evaluation.answered',
      'evaluation.containsNot',
    ]);
    expect(told({ ...answered, metrics: { refusal_accuracy: 0 } })).toEqual([false, 'evaluation.wronglyAnswered']);
    expect(told({ ...refused, metrics: { refusal_accuracy: 1 } })).toEqual([true, 'evaluation.rightlyRefused']);
    expect(told({ ...refused, metrics: { refusal_accuracy: 0, answer_containment: 0 } })).toEqual([
      false,
      'evaluation.refused',
    ]);
    expect(told({ ...answered, answer: { ...ANSWER, error_code: 'ai.provider_unavailable' } })).toEqual([
      false,
      'evaluation.notAsked',
    ]);
  });
});

it('a measure is called by words, with the number of results that it looks at', () => {
  expect(metricWords('hit_rate@10')).toBe('evaluation.first metric.hit_rate 10');
  expect(metricWords('refusal_accuracy')).toBe('metric.refusal_accuracy');
  expect(metricWords('of_tomorrow@5')).toBe('evaluation.first of_tomorrow 5');
  expect(figureWords({ mean: 0.5, low: 0, high: 1, n: 2 })).toBe('50% (0%–100%)');
  expect(figureWords({ mean: null, low: null, high: null, n: 0 })).toBe('evaluation.noValue');
});

it('what is found comes before what is answered, and what is not known here last', () => {
  expect(inOrder(['of_tomorrow', 'token_f1', 'mrr@10', 'hit_rate@10', 'hit_rate@5'])).toEqual([
    'hit_rate@10',
    'hit_rate@5',
    'mrr@10',
    'token_f1',
    'of_tomorrow',
  ]);
});

it('an evaluation is told by its verdict where it has one, else by how far it is', () => {
  const head = { status: 'completed', verdict: null, progress: { steps: 8, steps_done: 3 } } as const;
  expect(stateOf({ ...head, verdict: 'fail' })).toEqual({ look: 'failed', words: 'evaluationVerdict.fail' });
  expect(stateOf(head)).toEqual({ look: 'ready', words: 'evaluationState.completed' });
  expect(stateOf({ ...head, status: 'running' })).toEqual({
    look: 'working',
    words: 'evaluationState.running, evaluations.done 3 8',
  });
});

it('its main figures are what was found of what should be, what was refused and what could not be asked', () => {
  const none = { fingerprints: [], groups: [], latency_ms: null, causes: [], name: 'default', metrics: {} };
  expect(summaryWords({ ...none, errors: 0, misses: 0 })).toEqual([]);
  const metrics = { 'hit_rate@10': { mean: 0.75, low: null, high: null, n: 4 } };
  const answers = { models: [], refused: 2, latency_ms: null };
  expect(summaryWords({ ...none, metrics, answers, errors: 1, misses: 1 })).toEqual([
    'evaluations.found 3 4',
    'evaluations.refusals 2',
    'evaluations.errors 1',
  ]);
});

it('where no case is listed as not found, says whether any names what should be found', () => {
  const of = (n: number, misses = 0) => ({
    metrics: { 'hit_rate@10': { mean: null, low: null, high: null, n } },
    misses,
  });
  expect(noMissesWords({ variants: [of(2)] })).toBe('evaluation.noMisses');
  expect(noMissesWords({ variants: [of(0)] })).toBe('evaluation.noneNamed');
  expect(noMissesWords(null)).toBe('evaluation.noneNamed');
  expect([missesOf({ variants: [of(3, 1), of(3, 2)] }), missesOf(null)]).toEqual([3, 0]);
});
