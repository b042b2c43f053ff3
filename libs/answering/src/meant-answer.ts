import { asksWhetherAllowed, saysWhetherAllowed } from './answer-hints.js';
import type { AnswerSort } from './answer-sort.js';
import { holdsSort, isMarked } from './answer-sorts.js';
import { nearMissOf, withoutStrange } from './near-miss.js';
import type { QuestionProfile } from './question-profile.js';
import { sayTheSame } from './same-statement.js';
import { asks } from './sentence-choice.js';
import type { ReadSentence, ReadSource } from './source-reader.js';

/** A statement by what it means: how alike it is to the question, and where it is. */
export interface MeantStatement {
  /** Places of the source and of the statement in it. */
  readonly source: number;
  readonly at: number;
  /** In spreads of unrelated texts, less for a lower place and for what is not of the sort that is asked for. */
  readonly value: number;
}

/** What a statement loses by standing in a lower source: for each time that its place doubles a half. */
const LOWER_SOURCE = 0.7;
/** What it loses where it holds nothing of the sort that is asked for. */
const OTHER_SORT = 0.7;
/** A statement may be less alike by this much where a thing of a certain sort is asked for and the statement holds one. */
const TYPED = 1;
/** A statement of fewer words answers nothing by itself. */
const FEWEST_WORDS = 3;
/** How much the lead over the next but one counts: two may say the same. */
const LEAD = 0.5;
/** From here on signs of a near miss speak against an answer whose words the question does not share, and against one whose words it does. */
const NEAR_MISS = 0.5;
const CERTAIN_NEAR_MISS = 4;
/** What a statement loses that shares the name of something with the question, and no other word. */
const NAME_ALONE = 2;
const HELD = 0.4;
const SLOPE = 2;
const UNSURE = 1;
/** Little likeness without a sign of a near miss says less than such a sign: answers in other words are little alike, too. */
const BELOW = 0.3;
/** What is shared by words may reach 5.5 logits: a certain near miss outweighs it. */
const AGAINST = 1.5;
/** A second statement is quoted where it is less alike by this much at most. */
const NEARLY = 1.2;

/** A reason, a place, a time before something, whom to ask and the name of a form may be told without a word that says so. */
const TOLD_OTHERWISE: ReadonlySet<AnswerSort> = new Set(['reason', 'place', 'moment', 'contact', 'code']);

/** A source with what was compared of it. */
export interface ComparedSource {
  readonly read: Pick<ReadSource, 'text' | 'sentences'>;
  /** For each statement in spreads of unrelated texts; 0 for what was not compared. Undefined: nothing of the source was. */
  readonly likeness: readonly number[] | undefined;
}

/** Sources with what was compared of them, in their order. */
export function comparedOf<T extends ComparedSource['read']>(
  read: readonly T[],
  sources: readonly { readonly likeness?: readonly number[] }[],
): { readonly read: T; readonly likeness: readonly number[] | undefined }[] {
  return read.map((one, at) => ({ read: one, likeness: sources[at]!.likeness }));
}

/** The statements that may answer by their meaning, the most alike first. */
export function rankMeant(sort: QuestionProfile['sort'], sources: readonly ComparedSource[]): MeantStatement[] {
  const holds = (sentence: ReadSentence, text: string): boolean =>
    !isMarked(sort) || holdsSort(sort, textOf(text, sentence));
  const found = sources.flatMap(({ read, likeness }, source) =>
    read.sentences.flatMap((sentence, at): MeantStatement[] => {
      const alike = likenessAt(read, likeness, at);
      if (alike <= 0 || !mayAnswer(sentence) || isAsking(read, at)) return [];
      const lower = LOWER_SOURCE * Math.log(1 + source);
      const other = holds(sentence, read.text) ? 0 : OTHER_SORT;
      return [{ source, at, value: alike - lower - other }];
    }),
  );
  return found.toSorted((a, b) => b.value - a.value || a.source - b.source || a.at - b.at);
}

/** How alike a statement is; what follows a question of the text is as much alike as that: it is answered there. */
function likenessAt(read: ComparedSource['read'], likeness: readonly number[] | undefined, at: number): number {
  const own = likeness?.[at] ?? 0;
  return at > 0 && isAsking(read, at - 1) ? Math.max(own, likeness?.[at - 1] ?? 0) : own;
}

function isAsking({ text, sentences }: ComparedSource['read'], at: number): boolean {
  const { start, end, kind } = sentences[at]!;
  return kind !== 'row' && asks(text.slice(start, end).trim());
}

/** What meaning says of an answer. */
export interface MeantAnswer {
  /** Above 0 where the most alike statement answers, in logits. */
  readonly logit: number;
  /** What speaks for a near miss although words are shared, in logits: the statement that means most is one. */
  readonly against: number;
  /** All that speaks for a near miss of that statement, in logits. */
  readonly nearMiss: number;
}

/**
 * Whether the statement that is most like the question answers it: likeness and lead reach the bar, it holds what is asked for, and
 * nothing speaks for a near miss. Words that are missing are no sign, unless they lead away from it. Null where nothing was compared.
 * @param bar in spreads, as the model has it
 */
export function measureMeant(
  profile: QuestionProfile,
  sources: readonly (ComparedSource & { readonly read: ReadSource })[],
  bar: number,
): MeantAnswer | null {
  const ranked = rankMeant(profile.sort, sources);
  const [first] = ranked;
  if (first === undefined) return null;
  const { read } = sources[first.source]!;
  const miss = nearMissOf(profile, read, first.at);
  const lead = first.value - (ranked[2] ?? ranked[1] ?? first).value;
  const holds = holdsSort(profile.sort, textOf(read.text, read.sentences[first.at]!));
  const lacksSort = !holds && !TOLD_OTHERWISE.has(profile.sort);
  const byName = sharesNameAlone(profile, read.sentences[first.at]!) ? NAME_ALONE : 0;
  const isTyped = profile.sort !== 'any' || profile.kind === 'person' || isOnWhatIsAllowed(profile, read, first.at);
  const typed = isTyped && holds && miss === 0 ? TYPED : 0;
  const alike = SLOPE * (first.value + LEAD * lead - byName - bar + typed);
  const isNear = miss > NEAR_MISS || lacksSort;
  const logit = isNear ? Math.min(alike, 0) - UNSURE - miss : alike < 0 ? alike * BELOW : alike;
  // A word that leads away from this statement may be held by the one whose words are shared.
  const certain = read.strange === undefined ? miss : nearMissOf(profile, withoutStrange(read), first.at);
  // A row lacks most words of most questions.
  const isCertain = certain >= CERTAIN_NEAR_MISS && read.sentences[first.at]!.kind !== 'row';
  return { logit, against: isCertain ? AGAINST * certain : 0, nearMiss: miss };
}

/** Whether the question asks for permission and the statement allows or forbids something. */
function isOnWhatIsAllowed({ text: question }: QuestionProfile, { text, sentences }: ReadSource, at: number): boolean {
  return asksWhetherAllowed(question) && saysWhetherAllowed(textOf(text, sentences[at]!));
}

/** Whether a statement holds what the question names and none of its other words: then it may be alike for the name alone. */
function sharesNameAlone({ terms }: QuestionProfile, { matches }: ReadSentence): boolean {
  const held = terms.filter((_, at) => matches[at]! >= HELD);
  return held.length > 0 && held.length < terms.length && held.every(({ isProper }) => isProper);
}

/** The most alike statement, and the next ones that say something else where they are nearly as much alike; `most` in all. */
export function pickMeant<T extends { readonly quote: string }>(
  ranked: readonly MeantStatement[],
  make: (source: number, at: number) => T,
  most: number,
): T[] {
  const [best, ...others] = ranked;
  if (best === undefined) return [];
  const picked = [make(best.source, best.at)];
  for (const { source, at, value } of others) {
    if (picked.length >= most || value < best.value - NEARLY) break;
    const next = make(source, at);
    if (!picked.some(({ quote }) => sayTheSame(quote, next.quote))) picked.push(next);
  }
  return picked;
}

function mayAnswer({ kind, isHead, length }: ReadSentence): boolean {
  return kind !== 'heading' && !isHead && length >= FEWEST_WORDS;
}

function textOf(text: string, { start, end, header }: ReadSentence): string {
  return `${header ?? ''} ${text.slice(start, end)}`;
}
