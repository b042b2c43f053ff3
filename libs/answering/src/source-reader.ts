import { functionWordsFor } from '#libs/ranking';
import { foldText, termsOf, type Term } from './overlap.js';
import type { Range } from './measure.js';
import { isWithin, measureOf, rangesOf } from './stated-ranges.js';
import { splitStatements, type Statement } from './statements.js';
import { comparedWord, relationOf, type ComparedWord } from './word-relations.js';

/** What a question sees of words. */
export interface ReadWords {
  /** For each term of the question how far the sentence holds it, 0..1. */
  readonly matches: readonly number[];
  /** For each word that represents one of the question, in order: which term, and the place of the word in the sentence. */
  readonly hits: readonly { readonly term: number; readonly at: number }[];
  /** Words of the sentence, function words included. */
  readonly length: number;
  /** Content words that represent none of the question. */
  readonly fresh: number;
}

/** A sentence, or a row of a table with its header, as a question sees it. */
export type ReadSentence = Statement &
  ReadWords & {
    /** As `matches`, without what only the header of its table holds. */
    readonly own: readonly number[];
    /** Whether it is a heading that is not marked in the text, as the document knows. */
    readonly isKnownHeading?: boolean;
  };

/** A source as a question sees it. */
export interface ReadSource {
  readonly text: string;
  readonly sentences: readonly ReadSentence[];
  /** For each term of the question how far any sentence holds it. */
  readonly matches: readonly number[];
  /** The same for the title and the headings. */
  readonly title: readonly number[];
  /** The name of the document and the headings. */
  readonly called?: string;
  /** From here on the source says what someone else said before: what a mail quotes. Infinity: nowhere. */
  readonly quotedFrom: number;
  /** For each sentence, by the forms of words of the question, how strange they are to it, in spreads of unrelated texts. Absent: not known. */
  readonly strange?: readonly (ReadonlyMap<string, number> | undefined)[];
}

/** The heading that the reader of mails puts above a quotation. */
const QUOTED = /^Quoted(?:: .*)?$/m;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** This many words tell the language of a source. */
const LANGUAGE_SAMPLE = 120;
/** Words of alphabets with case, which are one term each: to ask for their language one by one would cost most of the time. */
const ONE_TERM = /^[a-z\d\u00c0-\u058f]+$/iu;

/** How far a range holds a number that is within it. */
const COVERED = 0.9;
/** How far a number holds a time of as many hours, days or years, where it is not said to be one. */
const BARE = 0.5;
const TIME = 'time';

interface KnownWord {
  readonly form: string;
  readonly isGram: boolean;
  readonly isContent: boolean;
  readonly hits: readonly (readonly [term: number, strength: number])[];
}

/** Reads sources for one question. Every word is compared with the question's once, however often it comes. */
export class SourceReader {
  private readonly known = new Map<string, readonly KnownWord[]>();

  /** The question's words; null for its numbers and n-grams, which are compared as they are. */
  private readonly asked: readonly (ComparedWord | null)[];

  private readonly hasMeasures: boolean;

  constructor(private readonly terms: readonly Term[]) {
    this.hasMeasures = terms.some(({ measure }) => measure !== undefined);
    this.asked = terms.map(({ form, sort }) => (sort === 'word' ? comparedWord(form) : null));
  }

  read(text: string, title = ''): ReadSource {
    const functionWords = functionWordsFor(sampleWords(text));
    const above = title.split('\n').at(-1) ?? null;
    const headings = new Set(title.split('\n').slice(1));
    const sentences = splitStatements(text, above).map((one) => ({
      ...one,
      ...this.readStatement(text, one, functionWords),
      isKnownHeading: one.kind === 'sentence' && headings.has(text.slice(one.start, one.end)),
    }));
    const matches = this.terms.map((_, at) => sentences.reduce((best, one) => Math.max(best, one.matches[at]!), 0));
    const quotedFrom = QUOTED.test(above ?? '') ? 0 : (QUOTED.exec(text)?.index ?? Infinity);
    return { text, sentences, matches, title: this.readWords(title, new Set()).matches, quotedFrom };
  }

  /** For each term of the question how far a text holds it. */
  match(text: string): readonly number[] {
    return this.readWords(text, new Set()).matches;
  }

  private readStatement(
    text: string,
    { start, end, header }: Statement,
    functionWords: ReadonlySet<string>,
  ): Omit<ReadSentence, keyof Statement> {
    const words = this.readWords(text.slice(start, end), functionWords);
    const ranges = this.hasMeasures ? rangesOf(text.slice(start, end)) : [];
    const own = words.matches.map((match, at) =>
      match === 0
        ? this.covers(ranges, at)
        : this.isOtherwiseCounted(text.slice(start, end), at)
          ? BARE * match
          : match,
    );
    const read = { ...words, matches: own };
    if (header === null) return { ...read, own };
    const above = this.readWords(header, functionWords);
    return { ...read, own, matches: own.map((match, at) => Math.max(match, above.matches[at]!)) };
  }

  /** How far ranges tell what holds for a quantity of the question, without its number: “up to ten persons” for six of them. */
  private covers(ranges: readonly Range[], term: number): number {
    const { measure } = this.terms[term]!;
    return measure !== undefined && isWithin(ranges, measure) ? COVERED : 0;
  }

  /** Whether a text has the number of a time that the question names (“12 years”) as the number of something else: “from 12 to 3 pm”. */
  private isOtherwiseCounted(text: string, term: number): boolean {
    const { measure, form } = this.terms[term]!;
    return measure?.unit === TIME && measureOf(text, form)?.unit !== TIME;
  }

  private readWords(text: string, functionWords: ReadonlySet<string>): ReadWords {
    const matches = this.terms.map(() => 0);
    const hits: { term: number; at: number }[] = [];
    let [length, fresh] = [0, 0];
    for (const [word] of text.matchAll(WORD)) {
      for (const { form, isGram, isContent, hits: found } of this.lookUp(word)) {
        for (const [term, strength] of found) {
          if (strength > matches[term]!) matches[term] = strength;
          hits.push({ term, at: length });
        }
        length++;
        if (found.length > 0 || !isContent || functionWords.has(form)) continue;
        fresh += isGram ? 0.5 : 1;
      }
    }
    return { matches, hits, length, fresh };
  }

  private lookUp(word: string): readonly KnownWord[] {
    let known = this.known.get(word);
    if (known === undefined) {
      known = readTerms(word).map(({ form, sort, isContent }) => ({
        form,
        isGram: sort === 'gram',
        isContent: sort !== 'gram' || isContent,
        hits: this.compare(form, sort),
      }));
      this.known.set(word, known);
    }
    return known;
  }

  private compare(form: string, sort: Term['sort']): [number, number][] {
    const hits: [number, number][] = [];
    const found = sort === 'word' ? comparedWord(form) : null;
    for (const [index, term] of this.terms.entries()) {
      const word = this.asked[index]!;
      const strength = word !== null && found !== null ? relationOf(word, found) : Number(term.form === form);
      if (strength > 0) hits.push([index, strength]);
    }
    return hits;
  }
}

function readTerms(word: string): Pick<Term, 'form' | 'sort' | 'isContent'>[] {
  if (!ONE_TERM.test(word)) return termsOf(word);
  const form = foldText(word);
  return [{ form, sort: /^\d+$/.test(form) ? 'number' : 'word', isContent: true }];
}

function sampleWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    words.push(word.toLowerCase());
    if (words.length === LANGUAGE_SAMPLE) break;
  }
  return words;
}
