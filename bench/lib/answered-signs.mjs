/** What the product's own functions say of a question and the statement that would be quoted for it, as numbers that a measure may weigh. */
import { findEvidence } from '#libs/answering';
import { holdsSort } from '../../dist/libs/answering/src/answer-sorts.js';
import { comparedOf, pickMeant, rankMeant } from '../../dist/libs/answering/src/meant-answer.js';
import { nearMissOf } from '../../dist/libs/answering/src/near-miss.js';
import { SourceReader } from '../../dist/libs/answering/src/source-reader.js';

const HELD = 0.4;
/** Keeps the logit of the product's own measure finite. */
const LEAST = 0.001;
/** Signs that speak against an answer; of the rest `words`, `terms` and `row` may speak either way. */
const AGAINST = new Set([
  'nearMiss',
  'lacksSort',
  'nowhere',
  'namesLacking',
  'place',
  'words_missing',
  'words_missingNames',
]);
const EITHER = new Set(['words', 'terms', 'row']);
const NO_EVIDENCE = {
  coverage: 0,
  chunkSurprise: -10,
  sentenceSurprise: -10,
  lead: 0,
  pairedShare: 0,
  paired: 0,
  missing: 1,
  missingNames: 0,
  agreement: 0,
};

/** Null where no statement was compared: words alone decide there. */
export function signsOf({ profile, sources, answered }) {
  const reader = new SourceReader(profile.terms);
  const read = sources.map(({ text, title }) => reader.read(text, title));
  const ranked = rankMeant(profile.sort, comparedOf(read, sources));
  const [first] = ranked;
  if (first === undefined) return null;
  const source = read[first.source];
  const statement = source.sentences[first.at];
  const stated = source.text.slice(statement.start, statement.end);
  const evidence = findEvidence(profile, sources) ?? NO_EVIDENCE;
  const likeness = sources.flatMap((one) => (one.likeness ?? []).filter((value) => value !== 0));
  const own = sources[first.source].likeness.filter((value) => value !== 0);
  const holds = holdsSort(profile.sort, `${statement.header ?? ''} ${stated}`);
  const vectors = sources.map(({ scores }) => scores.vector ?? 0);
  const above = Math.max(0, ...vectors.filter((_, at) => at !== first.source));
  const weightOf = (held) => share(profile.terms, held);
  const around = source.sentences.slice(Math.max(0, first.at - 1), first.at + 2);
  const passage = profile.terms.map((_, at) => Math.max(source.matches[at], source.title[at]));
  const quoted = pickMeant(ranked, (from, at) => {
    const { start, end, header } = read[from].sentences[at];
    return { quote: read[from].text.slice(start, end), header };
  });
  return {
    quoted: quoted.map(({ quote, header }) => `${header ?? ''} ${quote}`).join('\n'),
    signs: {
      answered: Math.log((answered + LEAST) / (1 - answered + LEAST)),
      likeness: sources[first.source].likeness[first.at],
      value: first.value,
      leadToNext: first.value - (ranked[1] ?? first).value,
      leadToThird: first.value - (ranked[2] ?? ranked[1] ?? first).value,
      deviation: deviationOf(sources[first.source].likeness[first.at], likeness),
      likenessOfPassage: own.reduce((sum, value) => sum + value, 0) / own.length,
      vector: vectors[first.source],
      vectorMargin: vectors[first.source] - above,
      keyword: sources[first.source].scores.keyword ?? 0,
      nearMiss: Math.min(8, nearMissOf(profile, source, first.at)),
      holdsSort: Number(holds && profile.sort !== 'any'),
      lacksSort: Number(!holds && profile.sort !== 'any'),
      held: weightOf(statement.matches),
      heldAround: weightOf(profile.terms.map((_, at) => Math.max(...around.map(({ matches }) => matches[at])))),
      heldByPassage: weightOf(passage),
      nowhere: share(
        profile.terms,
        profile.terms.map(({ isNowhere }) => Number(isNowhere)),
      ),
      namesLacking: share(
        profile.terms.filter(({ isProper }) => isProper),
        profile.terms.flatMap(({ isProper }, at) => (isProper ? [Number(passage[at] < HELD)] : [])),
      ),
      place: Math.log(1 + first.source),
      words: Math.log(1 + statement.length),
      terms: Math.log(1 + profile.terms.length),
      row: Number(statement.kind === 'row'),
      ...Object.fromEntries(Object.entries(evidence).map(([name, value]) => [`words_${name}`, value])),
    },
  };
}

/** Of what the terms weigh the part that is held. */
function share(terms, held) {
  const all = terms.reduce((sum, { importance }) => sum + importance, 0);
  return all === 0 ? 0 : terms.reduce((sum, { importance }, at) => sum + importance * held[at], 0) / all;
}

function deviationOf(value, values) {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / values.length);
  return spread === 0 ? 0 : (value - mean) / spread;
}

/** Which way a sign may speak: 1 for an answer, -1 against one, 0 either way. */
export function directionOf(sign) {
  if (EITHER.has(sign)) return 0;
  return AGAINST.has(sign) ? -1 : 1;
}
