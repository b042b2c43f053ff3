import { areSynonyms, longForm } from './header-synonyms.js';
import type { QuestionColumn } from './question-table.js';
import { isFiller, isSameWord, tokensOf, type Token } from './words.js';

/** Words of a question that mean a column. */
export interface ColumnLink {
  readonly column: QuestionColumn;
  /** Tokens of the question, the last one not included. */
  readonly from: number;
  readonly to: number;
  /** Up to 1: the whole header in its own words. */
  readonly score: number;
  readonly isSynonym: boolean;
}

const QUALITY = { same: 1, similar: 0.9, synonym: 0.78 } as const;
/** Words without a meaning of their own that may be between words of a header. */
const MAX_GAP = 2;
/** Small words that change what is asked are no gap in a header. */
const PARTING = /^(?:not|no|nor|before|after|without|than|or|per|each|between|since|until|except)$/;
const LEAST_SCORE = 0.6;
const PART_OF_HEADER = 0.55;
/** `Leeds £/h` is the header `Leeds`. */
const MONEY = /(?:[€$£]|(?<!\p{L})(?:EUR|USD|GBP|CHF)(?!\p{L}))(?:\s*\/\s*\p{L}+)?/gu;

interface Hit {
  readonly at: number;
  readonly word: number;
  readonly quality: keyof typeof QUALITY;
}

/** All mentions of columns; of those that share words the best ones. */
export function linkColumns(question: readonly Token[], columns: readonly QuestionColumn[]): ColumnLink[] {
  const heads = columns.map((column) => headerWords(column));
  const all = columns.flatMap((column, index) => mentionsOf(question, column, heads[index]!));
  return all
    .filter((link) => !all.some((other) => beats(other, link)))
    .toSorted((a, b) => a.from - b.from || b.score - a.score);
}

/** What a header says, without units in brackets and small words. */
export function headerWords({ label, name, unit }: Pick<QuestionColumn, 'label' | 'name' | 'unit'>): Token[] {
  const plain = label.replace(/\(s\)/gi, '').replace(/[([][^)\]]*[)\]]/g, ' ');
  const bare = tokensOf(plain.replace(MONEY, ' ')).length > 0 ? plain.replace(MONEY, ' ') : plain;
  const words = tokensOf(bare).length > 0 ? tokensOf(bare) : tokensOf(name.replaceAll('_', ' '));
  const long = words.flatMap((word) => tokensOf(longForm(word.text)));
  const content = long.filter(({ text }) => !isFiller(text) && text !== unit);
  return content.length > 0 ? content : long;
}

function mentionsOf(question: readonly Token[], column: QuestionColumn, head: readonly Token[]): ColumnLink[] {
  const links: ColumnLink[] = [];
  let run: Hit[] = [];
  const close = (): void => {
    const link = run.length === 0 ? undefined : linkOf(column, head, run);
    if (link !== undefined) links.push(link);
    run = [];
  };
  question.forEach((token, at) => {
    const hit = hitOf(token, at, head, run);
    const last = run.at(-1);
    const isNear = last === undefined || at - last.at <= MAX_GAP + 1;
    if (!isNear) close();
    if (hit !== undefined) run.push(hit);
    else if (!isFiller(token.text) || PARTING.test(token.text)) close();
  });
  close();
  return links;
}

function hitOf(token: Token, at: number, head: readonly Token[], run: readonly Hit[]): Hit | undefined {
  const free = head.flatMap((word, index) => (run.some((hit) => hit.word === index) ? [] : [{ word, index }]));
  // `reps` where the header is `Rep`.
  const long = longForm(token.stem);
  for (const { word, index } of free) {
    const same = isSameWord(token, word) ?? (long === word.text && !isFiller(token.text) ? 'same' : undefined);
    if (same !== undefined && !(isFiller(token.text) && token.stem !== word.stem))
      return { at, word: index, quality: same };
  }
  if (isFiller(token.text)) return undefined;
  const synonym = free.find(({ word }) => areSynonyms(token.stem, word.stem));
  return synonym === undefined ? undefined : { at, word: synonym.index, quality: 'synonym' };
}

function linkOf(column: QuestionColumn, head: readonly Token[], run: readonly Hit[]): ColumnLink | undefined {
  const quality = run.reduce((sum, hit) => sum + QUALITY[hit.quality], 0) / run.length;
  const score = quality * (PART_OF_HEADER + (1 - PART_OF_HEADER) * (run.length / head.length));
  const isSynonym = run.some((hit) => hit.quality === 'synonym');
  if (score < LEAST_SCORE - (isSynonym ? 0 : 0.02)) return undefined;
  return { column, from: run[0]!.at, to: run.at(-1)!.at + 1, score, isSynonym };
}

function beats(one: ColumnLink, other: ColumnLink): boolean {
  if (one === other || one.from >= other.to || other.from >= one.to) return false;
  const longer = one.to - one.from - (other.to - other.from);
  return one.score > other.score + 0.02 && longer >= 0 ? true : longer > 0 && one.score >= other.score - 0.05;
}
