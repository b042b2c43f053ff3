/** Figures of `bench:own-words`: what the rows of its runner say, kind by kind, with intervals, and the bounds that are wanted. */
import { detectLanguage } from '#libs/text';
import { bootstrapInterval } from './paired-difference.mjs';

/** Draws of the interval of an area: each counts all pairs again. */
const AREA_DRAWS = 1_000;

const isOutcome = (outcome) => (row) => Number(row.outcome === outcome);
const first = (places) => (row) => Number(row.rank >= 1 && row.rank <= places);
const kindOf = (kind) => (row) => row.kind === kind;
const withGold = (kind) => (row) => row.kind === kind && row.gold !== null;
const withoutGold = (kind) => (row) => row.kind === kind && row.gold === null;
const answeredOf = (kind) => (row) =>
  withGold(kind)(row) && (row.outcome === 'right' || row.outcome === 'noisy' || row.outcome === 'wrong');

/** Name, rows that count, value of one. */
const SHARES = [
  ['search, own words: first', withGold('own_words'), first(1)],
  ['search, own words: first three', withGold('own_words'), first(3)],
  ['search, own words: first ten', withGold('own_words'), first(10)],
  ['search, across languages: first three', withGold('cross_language'), first(3)],
  ...['own_words', 'cross_language', 'table', 'conversation'].flatMap((kind) =>
    ['right', 'noisy', 'wrong', 'refused'].map((outcome) => [
      `chat, ${kind}: ${outcome}`,
      withGold(kind),
      isOutcome(outcome),
    ]),
  ),
  ['chat, own words: noisy of the answers', answeredOf('own_words'), isOutcome('noisy')],
  ['chat, conversation: noisy of the answers', answeredOf('conversation'), isOutcome('noisy')],
  ['chat, table without an answer: refused', withoutGold('table'), isOutcome('right')],
  ['chat, tables: right, refusals wanted counted', kindOf('table'), isOutcome('right')],
  ['chat, turns of conversations: right', kindOf('conversation'), isOutcome('right')],
  ['chat, unanswerable: refused', kindOf('unanswerable'), isOutcome('right')],
  ['chat, small talk: right', kindOf('smalltalk'), isOutcome('right')],
  ['refusals in the language of the question', (row) => row.refused && row.kind !== 'smalltalk', isInItsLanguage],
];

/** Bounds by name of the figure: for the built-in models, for a trained embedding model. */
const BOUNDS = {
  'search, own words: first three': { builtin: 0.6, model: 0.85 },
  'search, across languages: first three': { model: 0.6 },
  'answered: area, own words and unanswerable': { builtin: 0.7, model: 0.8 },
  'chat, own_words: right': { builtin: 0.25, model: 0.55 },
  'chat, own words: noisy of the answers': { most: 0.1 },
  'chat, own_words: wrong': { most: 0.08 },
  'chat, unanswerable: refused': { builtin: 0.75, model: 0.8 },
  'chat, small talk: right': { builtin: 0.9, model: 0.9 },
  'chat, turns of conversations: right': { builtin: 0.5, model: 0.6 },
  'chat, conversation: noisy of the answers': { most: 0.15 },
  'chat, tables: right, refusals wanted counted': { builtin: 0.8, model: 0.8 },
  'chat, table: wrong': { most: 0.1 },
  'refusals in the language of the question': { builtin: 1, model: 1 },
};

/** Each figure of all rows, of those with an odd and of those with an even number; null where there are none. */
export function reportOf(rows) {
  const halves = { all: rows, odd: rows.filter(isOdd), even: rows.filter((row) => !isOdd(row)) };
  const of = (figure) => Object.fromEntries(Object.entries(halves).map(([name, half]) => [name, figure(half)]));
  const shares = SHARES.map(([name, counts, value]) => ({
    name,
    ...of((half) => mean(half.filter(counts).map(value))),
  }));
  const areas = [
    ['answered: area, own words and unanswerable', withGold('own_words')],
    ['answered: area, all with and without an answer', (row) => row.gold !== null && row.kind !== 'smalltalk'],
  ].map(([name, counts]) => ({
    name,
    ...of((half) => area(half.filter(counts).map(answered), half.filter(isWithoutAnswer).map(answered))),
  }));
  return [...shares, ...areas];
}

/** Which bounds the figures over all questions meet; `kind` of the embedding is `builtin` or `model`. */
export function judgeBounds(report, kind) {
  return report.flatMap(({ name, all }) => {
    const { [kind]: least, most } = BOUNDS[name] ?? {};
    if (all === null || (least ?? most) === undefined) return [];
    const isMet = most === undefined ? all.mean >= least : all.mean <= most;
    return [{ name, value: all.mean, bound: most === undefined ? `at least ${least}` : `at most ${most}`, isMet }];
  });
}

function isOdd({ id }) {
  return Number(/\d+/.exec(id)[0]) % 2 === 1;
}

function isWithoutAnswer(row) {
  return row.kind !== 'smalltalk' && row.gold === null;
}

function answered(row) {
  return row.answered ?? 0;
}

/** A refusal is a sentence or two of the service: the language is read from it. */
function isInItsLanguage({ answer, lang }) {
  return Number(detectLanguage(answer).language === lang);
}

function mean(values) {
  if (values.length === 0) return null;
  return { mean: average(values), ...bootstrapInterval(values), n: values.length };
}

function average(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Share of pairs of one with and one without an answer that are in order; both sides are drawn again for the interval. */
function area(some, others) {
  if (some.length === 0 || others.length === 0) return null;
  const random = generator(7);
  const drawn = (values) => values.map(() => values[Math.floor(random() * values.length)]);
  const draws = Array.from({ length: AREA_DRAWS }, () => share(drawn(some), drawn(others))).sort((a, b) => a - b);
  const at = (part) => draws[Math.floor(part * (AREA_DRAWS - 1))];
  return { mean: share(some, others), low: at(0.025), high: at(0.975), n: some.length + others.length };
}

function share(some, others) {
  const won = (one) => average(others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return average(some.map(won));
}

function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
