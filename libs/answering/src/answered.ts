import { comparedOf, measureMeant } from './meant-answer.js';
import { lacksThing } from './can-answer.js';
import { doubtOf, isOtherLanguage, lacksMatter, nearMissOf, withoutStrange } from './near-miss.js';
import type { QuestionProfile, QuestionTerm } from './question-profile.js';
import { withoutReplaced } from './replaced-names.js';
import { questionOver } from './sentence-choice.js';
import { SourceReader, type ReadSentence, type ReadSource } from './source-reader.js';

/** A source as it is judged. */
export interface JudgedSource {
  readonly text: string;
  /** Name of the document and the headings above the text. */
  readonly title?: string;
  /** Of each statement of the text, in the order of `splitStatements`, how alike it is to the question in meaning, in spreads of unrelated texts. */
  readonly likeness?: readonly number[];
  /**
   * Of each statement, by the forms of words of the question that it does not hold, how much less alike the question is with the word than without,
   * in the same spreads. Undefined: not compared.
   */
  readonly strange?: readonly (ReadonlyMap<string, number> | undefined)[];
}

/**
 * From here on the sources answer the question. Set with the odd questions of `npm run bench:answers`, so that of the
 * answerable ones few are refused and of those about something else many; figures in docs/retrieval-quality.md.
 */
export const ANSWERED_THRESHOLD = 0.5;

/** What shows whether sources answer a question; each grows with the evidence unless it says otherwise. */
export interface AnswerEvidence {
  /** Share of the question's words, by importance, in the best sentence; less for words beside it, in the title or in the chunk. */
  readonly coverage: number;
  /** What the best chunk holds of the question, in nats beyond what the luckiest of all chunks would hold by chance. */
  readonly chunkSurprise: number;
  /** The same of the best sentence among all sentences. */
  readonly sentenceSurprise: number;
  /** What the best chunk holds in nats beyond the mean of the next four: chance spreads, an answer is far ahead. */
  readonly lead: number;
  /** Share of the question's neighbouring words that are near each other in one sentence too. */
  readonly pairedShare: number;
  /** What these pairs weigh in nats. */
  readonly paired: number;
  /** The most important word that the best chunk does not hold, as share of the greatest possible importance. Speaks against. */
  readonly missing: number;
  /** Share of the question's names and numbers that the best chunk does not hold. Speaks against. */
  readonly missingNames: number;
  /** 1 where the best sentence is in the best-ranked source, else 0. */
  readonly agreement: number;
}

/**
 * Weights of the logistic sum. Fitted by logistic regression with ridge 0.002 to the odd questions of `npm run bench:answers`
 * (their own documents against those about something else), each collection and side with the same weight in sum, then
 * shifted so that the threshold is one half, beside what near misses cost.
 */
const WEIGHTS: Readonly<Record<keyof AnswerEvidence, number>> = {
  coverage: 5.585,
  chunkSurprise: 0.1005,
  sentenceSurprise: 0.068,
  lead: 0.1178,
  pairedShare: 1.876,
  paired: 0.1507,
  missing: -1.062,
  missingNames: -1.186,
  agreement: 0.962,
};
const BIAS = -3.21;
/** More words make nothing surer, so that what speaks for a near miss still counts. */
const MOST_SUM = 5.5;

/** What shared words reach at most where they are not of the matter of the question, in logits: it is refused, and not less likely than others. */
const UNSAID = -0.5;

/** What is refused with so much of a sign of a near miss is surer to have no answer than what is refused because little is alike, by these logits. */
const REFUSING = 3;
const SURER = 4;
/** Few shared words without any sign of a near miss say less than such a sign: an answer in other words shares few, too. */
const BELOW = 0.3;

/** Credit for a word of the question that is not in the sentence itself. */
const CREDIT = { neighbour: 0.6, title: 0.6, chunk: 0.3, titleOfChunk: 0.8 } as const;
/** Words that are neighbours in the question are near in a sentence up to this distance. */
const NEAR = 3;
/** Sentences that are looked at for signs of a near miss, and how much of the best one's words they cover. */
const MOST_RIVALS = 4;
const RIVAL = 0.9;
const OTHER_CHUNKS = 4;
const IMAGINED_CHUNKS = 500;
/** Nats beyond which more of the same says nothing. */
const MOST_NATS = 30;
const LEAST_NATS = -10;

/**
 * How far the sources answer the question, 0..1: whether the best of them holds more of its important words, nearer together,
 * than chance would bring together anywhere in the datasets asked. Apart from whether an answer's sentences are supported.
 * 0 without sources and for a question without content words. By words, their forms and a small thesaurus, not by meaning.
 */
export function measureAnswered(profile: QuestionProfile, sources: readonly JudgedSource[]): number {
  return judgeAnswered(profile, sources, Infinity).answered;
}

/**
 * The same, and by meaning too where statements were compared with the question: `isMeant` says that meaning alone decides, `quotesMeant` that it
 * decides what is quoted: where words and meaning both find an answer, meaning finds the right sentence more often.
 * @param bar how alike a statement must be, in spreads of unrelated texts; Infinity: by words alone
 */
export function judgeAnswered(
  given: QuestionProfile,
  sources: readonly JudgedSource[],
  bar: number,
): { readonly answered: number; readonly isMeant: boolean; readonly quotesMeant: boolean } {
  const profile = withoutReplacedNames(given, sources);
  const read = readAll(profile, sources);
  const found = readEvidence(profile, read);
  const meant = Number.isFinite(bar) ? measureMeant(profile, comparedOf(read, sources), bar) : null;
  const against = found?.isRow === true ? 0 : (meant?.against ?? 0);
  const byWords = found === null ? -Infinity : logitOf(found) - against;
  const byMeaning = meant?.logit ?? -Infinity;
  const logit = Math.max(byWords, byMeaning);
  // What is refused anyway is surer to have no answer where the statement that means most is a near miss.
  const answered = 1 / (1 + Math.exp((logit < 0 ? (meant?.nearMiss ?? 0) : 0) - logit));
  const quotesMeant = byMeaning >= 0;
  return { answered, isMeant: byWords < 0 && quotesMeant, quotesMeant };
}

/** A follow-up without the names that it replaces by its own. */
function withoutReplacedNames(profile: QuestionProfile, sources: readonly JudgedSource[]): QuestionProfile {
  const { own, terms } = profile;
  if (own === undefined) return profile;
  const isOwn = terms.map(({ form }) => own.has(form));
  return { ...profile, terms: withoutReplaced(terms, isOwn, sources) };
}

function logitOf({ evidence, nearMiss, doubt, lacksMatter: isUnsaid }: Found): number {
  let sum = BIAS;
  for (const [name, weight] of Object.entries(WEIGHTS)) sum += weight * evidence[name as keyof AnswerEvidence];
  const logit = Math.min(Math.min(sum, MOST_SUM) - nearMiss, isUnsaid ? UNSAID : Infinity);
  if (logit >= 0) return logit >= doubt ? logit : BELOW * UNSAID;
  if (nearMiss === 0) return BELOW * logit;
  return nearMiss >= REFUSING ? logit - SURER : logit;
}

interface Found {
  readonly evidence: AnswerEvidence;
  readonly nearMiss: number;
  /** How sure shared words have to be. */
  readonly doubt: number;
  /** Whether no sentence that covers the question best holds its matter. */
  readonly lacksMatter: boolean;
  /** Whether rows of tables are among what covers the question best: they say it by their words, not by a sentence. */
  readonly isRow: boolean;
}

function readAll({ terms }: QuestionProfile, sources: readonly JudgedSource[]): ReadSource[] {
  const reader = new SourceReader(terms);
  return sources.map(({ text, title, strange }) => ({
    ...reader.read(text, title),
    ...(title === undefined ? {} : { called: title }),
    ...(strange === undefined ? {} : { strange }),
  }));
}

/** The facts behind `measureAnswered`; null without sources or content words. */
export function findEvidence(profile: QuestionProfile, sources: readonly JudgedSource[]): AnswerEvidence | null {
  return readEvidence(profile, readAll(profile, sources))?.evidence ?? null;
}

function readEvidence(profile: QuestionProfile, read: readonly ReadSource[]): Found | null {
  const { terms, chunkCount } = profile;
  const all = terms.reduce((sum, { importance }) => sum + importance, 0);
  if (all === 0 || read.length === 0) return null;
  const chunks = read.map(({ matches, title }) => best(matches, title, CREDIT.titleOfChunk));
  const sums = chunks.map((matches) => weigh(terms, matches));
  const bestChunk = sums.indexOf(Math.max(...sums));
  const missing = terms.map((term, at) => term.importance * (1 - chunks[bestChunk]![at]!));
  const sentences = read.reduce((sum, source) => sum + source.sentences.length, 0);
  const { covered, own, source, rivals } = bestSentence(terms, read);
  const paired = Math.max(0, ...read.flatMap((one) => one.sentences.map((sentence) => pairsIn(terms, sentence))));
  const pairs = terms.reduce((sum, _, at) => sum + pairWeight(terms, at), 0);
  const evidence = {
    coverage: covered / all,
    chunkSurprise: nats(sums[bestChunk]! - Math.log(chunkCount + 1)),
    sentenceSurprise: nats(own - Math.log((sentences / read.length) * chunkCount + 1)),
    lead: nats(sums[bestChunk]! - meanOfNext(sums, bestChunk)),
    pairedShare: pairs === 0 ? 0.5 : paired / pairs,
    paired: nats(paired),
    missing: Math.max(...missing) / Math.log(chunkCount + IMAGINED_CHUNKS),
    missingNames: shareOfNames(terms, missing),
    agreement: source === 0 ? 1 : 0,
  };
  const isRow = rivals.some((place) => read[place.source]!.sentences[place.at]!.kind === 'row');
  const held = terms.map((_, at) => Math.max(...chunks.map((matches) => matches[at]!)));
  const isUnsaid =
    (lacksThing(profile, held) && read.some((one) => !isOtherLanguage(profile, one))) ||
    rivals.every((place) => lacksMatter(profile, read[place.source]!, place.at));
  const doubt = Math.min(...rivals.map((place) => doubtOf(profile, read[place.source]!, place.at)));
  // Beside a row that holds as much, sentences say little either way.
  const judged = isRow ? read.map(withoutStrange) : read;
  return { evidence, isRow, lacksMatter: isUnsaid, doubt, nearMiss: leastNearMiss(profile, judged, rivals) };
}

function nats(value: number): number {
  return Math.max(LEAST_NATS, Math.min(MOST_NATS, value));
}

function weigh(terms: readonly QuestionTerm[], matches: readonly number[]): number {
  return matches.reduce((sum, match, at) => sum + match * terms[at]!.importance, 0);
}

function best(one: readonly number[], other: readonly number[], credit: number): number[] {
  return one.map((match, at) => Math.max(match, credit * other[at]!));
}

/** Of the sentences that cover nearly as much as the best one, what speaks least for a near miss: the row with the price, not the line about its goods. */
function leastNearMiss(profile: QuestionProfile, read: readonly ReadSource[], rivals: readonly Place[]): number {
  let least = Infinity;
  for (const { source, at } of rivals) {
    least = Math.min(least, nearMissOf(profile, read[source]!, at));
    if (least === 0) break;
  }
  return least === Infinity ? 0 : least;
}

interface Place {
  readonly source: number;
  readonly at: number;
  readonly covered: number;
}

/** What the sentence covers that covers most with what is around it, the most that any holds itself, and those that cover nearly as much. */
function bestSentence(
  terms: readonly QuestionTerm[],
  sources: readonly ReadSource[],
): { covered: number; own: number; source: number; rivals: readonly Place[] } {
  let ownMost = 0;
  const places: Place[] = [];
  for (const [source, { text, sentences, matches, title }] of sources.entries()) {
    const around = best(
      matches.map((match) => CREDIT.chunk * match),
      title,
      CREDIT.title,
    );
    for (const [at, sentence] of sentences.entries()) {
      ownMost = Math.max(ownMost, weigh(terms, sentence.matches));
      const asking = questionOver(text, sentences, at);
      const beside = sentence.isField
        ? []
        : [sentences[at - 1], sentences[at + 1], asking].filter((one) => one?.isField !== true);
      const near = beside.reduce(
        (credited, other) => (other === undefined ? credited : best(credited, other.matches, CREDIT.neighbour)),
        best(around, sentence.matches, 1),
      );
      const covered = weigh(terms, near);
      if (covered > 0) places.push({ source, at, covered });
    }
  }
  const ordered = places.toSorted((a, b) => b.covered - a.covered);
  const covered = ordered[0]?.covered ?? 0;
  const near = ordered.filter((place) => place.covered >= RIVAL * covered);
  // The head of a table says nothing without a row.
  const saying = near.filter((place) => !sources[place.source]!.sentences[place.at]!.isHead);
  const rivals = (saying.length > 0 ? saying : near).slice(0, MOST_RIVALS);
  return { covered, own: ownMost, source: ordered[0]?.source ?? -1, rivals };
}

function pairWeight(terms: readonly QuestionTerm[], first: number): number {
  const next = terms[first + 1];
  return next === undefined ? 0 : Math.min(terms[first]!.importance, next.importance);
}

/** What the question's pairs of neighbours weigh that are near each other in a sentence, in either order. */
function pairsIn(terms: readonly QuestionTerm[], { hits }: ReadSentence): number {
  const pairs = new Set<number>();
  for (const [index, hit] of hits.entries()) {
    for (let next = index + 1; next < hits.length && hits[next]!.at - hit.at <= NEAR; next++) {
      const other = hits[next]!;
      if (other.at !== hit.at && Math.abs(other.term - hit.term) === 1) pairs.add(Math.min(other.term, hit.term));
    }
  }
  let sum = 0;
  for (const pair of pairs) sum += pairWeight(terms, pair);
  return sum;
}

function meanOfNext(sums: readonly number[], first: number): number {
  const others = sums
    .filter((_, index) => index !== first)
    .sort((a, b) => b - a)
    .slice(0, OTHER_CHUNKS);
  return others.length === 0 ? 0 : others.reduce((sum, value) => sum + value, 0) / others.length;
}

function shareOfNames(terms: readonly QuestionTerm[], missing: readonly number[]): number {
  let [all, absent] = [0, 0];
  for (const [at, { isName, importance }] of terms.entries()) {
    if (!isName) continue;
    all += importance;
    absent += missing[at]!;
  }
  return all === 0 ? 0 : absent / all;
}
