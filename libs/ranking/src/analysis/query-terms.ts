import { finish, type Steps } from '#libs/common';
import { HANGUL } from './characters.js';
import { functionCharacters, functionWordsFor } from './function-words.js';
import { eachAlphabetGram, eachRunWord, eachWindow, gramsOf } from './ngrams.js';
import { foldDiacritics, lowerCase, normalizeText } from './normalize.js';
import { latinLanguageOfQuestion, STEMS_MARK, type LatinLanguage } from './own-stems.js';
import {
  ALPHABET_GRAM_WEIGHT,
  BESIDE_OWN_STEM,
  EXACT_WEIGHT,
  FUNCTION_WEIGHT,
  LATIN_GRAM_WEIGHT,
  RUN_GRAM_WEIGHT,
  STEMMED_GRAM_WEIGHT,
} from './query-parameters.js';
import { hashTerm, type Leg } from './term-hash.js';
import type { StatisticsView } from './term-statistics.js';
import { visitTokens, type RunClass } from './tokenize.js';
import { byPromise, WeighedTerms, type QueryTerm } from './weighed-terms.js';
import { MAX_TERM_LENGTH, wordForms, type WordForms } from './word-forms.js';

/** One thing a question asks about, with everything in a chunk that would show it. */
export interface EvidenceUnit {
  readonly text: string;
  /** Hashes of the terms, each of which is the unit itself; the most frequent form first. */
  readonly words: readonly number[];
  /** The same terms, hashed for the leg of titles. */
  readonly title: readonly number[];
  /** Smaller pieces, which an inflected form shares for the most part: n-grams, or single characters of a pair. Empty when too short. */
  readonly pieces: readonly number[];
  /** The leg in which the pieces are looked for. */
  readonly piecesLeg: Leg;
  /** Share of the unit among units that represent one word together. */
  readonly weight: number;
}

/**
 * What a query asks for, of chunks that have the stems of their own language (`termsFor`). Each leg holds each term once, with its count, in the
 * order of the text, and is capped.
 */
export interface QueryTerms {
  readonly words: readonly QueryTerm[];
  readonly grams: readonly QueryTerm[];
  readonly title: readonly QueryTerm[];
  /** The content words; empty when the query has none. */
  readonly units: readonly EvidenceUnit[];
  /** The same where some chunk lacks those stems; absent where there is no difference. */
  readonly unstemmed?: QueryTerms;
}

const STEMS_HASH = hashTerm('words', STEMS_MARK);
const UNIT_LIMIT = 64;
const TOKENS_PER_STEP = 32;
const LATIN = /^[a-z0-9]+$/;

type FormsOf = (word: string) => WordForms;

type Token =
  | { kind: 'words'; wholes: readonly string[]; parts: readonly string[] }
  | { kind: 'run'; characters: string; script: RunClass };

function tokensOf(query: string): Token[] {
  const normalized = normalizeText(query);
  const tokens: Token[] = [];
  visitTokens(normalized, lowerCase(normalized), {
    word: (word) => tokens.push({ kind: 'words', wholes: [], parts: [word] }),
    compound: (wholes, parts) => tokens.push({ kind: 'words', wholes, parts }),
    run: (characters, script) => tokens.push({ kind: 'run', characters, script }),
  });
  return tokens;
}

function average(mask: readonly boolean[], start: number, length: number): number {
  let count = 0;
  for (let index = start; index < start + length; index += 1) if (mask[index]) count += 1;
  return count / length;
}

/** Builds the terms of one query. */
class QueryBuilder {
  private readonly words = new WeighedTerms();
  private readonly grams = new WeighedTerms();
  private readonly units = new Map<string, EvidenceUnit>();
  private joined = '';
  /** For each character of `joined`: whether a function word brought it. */
  private joinedMask: boolean[] = [];
  /** For each character of `joined`: whether it is of an alphabet, and of a word that has a stem of its own language. */
  private stemmedMask: boolean[] = [];

  /** @param formsOf the forms of a word that are asked for */
  constructor(
    private readonly functionWords: ReadonlySet<string>,
    private readonly formsOf: FormsOf,
  ) {}

  add(token: Token): void {
    if (token.kind === 'run') this.addRun(token.characters, token.script);
    else this.addWords(token.wholes, token.parts);
  }

  private addWords(wholes: readonly string[], parts: readonly string[]): void {
    for (const whole of wholes) this.addForms(whole, 1);
    for (const part of parts) this.addForms(part, this.isFunction(part) ? FUNCTION_WEIGHT : 1);
    const wholeForms = wholes.slice(0, 1).map((whole) => this.formsOf(whole).stem);
    for (const word of parts.length === 0 ? wholes.slice(0, 1) : parts) {
      const folded = foldDiacritics(word);
      const isFunction = this.isFunction(word);
      this.joined += folded;
      const { own } = this.formsOf(word);
      const isStemmed = own !== undefined && own.language !== 'tr';
      for (const _ of folded) {
        this.joinedMask.push(isFunction);
        this.stemmedMask.push(isStemmed);
      }
      if (!isFunction) this.addUnit(word, folded, wholeForms, Math.min(1, 2 / Math.max(1, parts.length)));
    }
  }

  private addForms(word: string, weight: number): void {
    const { stem, exact, own } = this.formsOf(word);
    const isBeside = own !== undefined && own.stem !== stem;
    if (isBeside) this.words.add(own.stem, weight);
    this.words.add(stem, isBeside ? weight * BESIDE_OWN_STEM[own.language] : weight);
    for (const form of exact) if (form !== own?.stem) this.words.add(form, weight * EXACT_WEIGHT);
  }

  private isFunction(word: string): boolean {
    return this.functionWords.has(foldDiacritics(word));
  }

  private addUnit(word: string, folded: string, wholeForms: readonly string[], weight: number): void {
    const { stem, exact, own } = this.formsOf(word);
    const forms = own === undefined ? [stem, ...exact] : [own.stem, stem, ...exact];
    const pieces: string[] = [];
    eachAlphabetGram(folded, (start, end) => pieces.push(folded.slice(start, end)));
    this.setUnit(folded, [...forms, ...wholeForms], { leg: 'grams', terms: pieces }, weight);
  }

  private setUnit(
    text: string,
    forms: readonly string[],
    pieces: { leg: Leg; terms: readonly string[] },
    weight: number,
  ): void {
    if (this.units.has(text) || this.units.size >= UNIT_LIMIT) return;
    const distinct = [...new Set(forms.filter((form) => form !== ''))];
    this.units.set(text, {
      text,
      words: distinct.map((form) => hashTerm('words', form)),
      title: distinct.map((form) => hashTerm('title', form)),
      pieces: pieces.terms.map((term) => hashTerm(pieces.leg, term)),
      piecesLeg: pieces.leg,
      weight,
    });
  }

  private addRun(characters: string, script: RunClass): void {
    this.flush();
    const mask = functionCharacters(Array.from(characters));
    const shareOf = (gram: string, index: number): number => average(mask, index, Array.from(gram).length);
    const weigh = (share: number): number => share * FUNCTION_WEIGHT + (1 - share);
    const { length } = characters;
    const longest = Math.max(...gramsOf(script).words);
    eachRunWord(characters, script, (start, end, index) => {
      const gram = characters.slice(start, end);
      const share = shareOf(gram, index);
      // A character says little of the words that share it; a run that is no longer is a word.
      if (Array.from(gram).length < longest && gram !== characters) this.words.addPart(gram, weigh(share));
      else this.words.add(gram, weigh(share));
      if (share === 0) this.addRunUnit(gram, script);
    });
    if (script === HANGUL && length > 2 && length <= MAX_TERM_LENGTH) this.words.add(characters, 1);
    eachWindow(characters, gramsOf(script).grams, (start, end, index) => {
      const gram = characters.slice(start, end);
      this.grams.add(gram, weigh(shareOf(gram, index)) * RUN_GRAM_WEIGHT);
    });
  }

  /** Windows overlap, so that a word of n characters is n or fewer units. */
  private addRunUnit(gram: string, script: RunClass): void {
    const characters = Array.from(gram);
    const { words } = gramsOf(script);
    const longest = Math.max(...words);
    if (characters.length !== longest) return;
    const pieces = words.includes(1) ? characters : [];
    this.setUnit(gram, [gram], { leg: 'words', terms: pieces }, 1 / longest);
  }

  flush(): void {
    const { joined, joinedMask, stemmedMask } = this;
    this.joined = '';
    this.joinedMask = [];
    this.stemmedMask = [];
    eachAlphabetGram(joined, (start, end, index) => {
      const gram = joined.slice(start, end);
      const { length } = Array.from(gram);
      const share = average(joinedMask, index, length);
      const stemmed = average(stemmedMask, index, length);
      const ofAlphabet = (1 - stemmed) * ALPHABET_GRAM_WEIGHT + stemmed * STEMMED_GRAM_WEIGHT;
      const base = LATIN.test(gram) ? LATIN_GRAM_WEIGHT : ofAlphabet;
      this.grams.add(gram, base * (share * FUNCTION_WEIGHT + (1 - share)));
    });
  }

  *build(): Steps<QueryTerms> {
    this.flush();
    yield;
    const words = this.words.list('words');
    yield;
    const grams = this.grams.list('grams');
    yield;
    return { words, grams, title: this.words.list('title'), units: [...this.units.values()] };
  }
}

/**
 * The terms of a query: those of `analyzeChunk` on the same text, each once, with weights and counts. Function words of the query's
 * language count little; a query of nothing else is searched for all the same. Pure; belongs to `ANALYSIS_VERSION`.
 */
export function analyzeQuery(query: string): QueryTerms {
  return finish(analyzeQuerySteps(query));
}

/** `analyzeQuery` with pauses. */
export function* analyzeQuerySteps(query: string): Steps<QueryTerms> {
  const tokens = tokensOf(query);
  const words = tokens.flatMap((token) => (token.kind === 'words' ? token.parts.map(foldDiacritics) : []));
  const functionWords = functionWordsFor(words);
  const onlyFunctionWords =
    words.length > 0 &&
    tokens.every((token) => token.kind === 'words') &&
    words.every((word) => functionWords.has(word));
  const counted = onlyFunctionWords ? new Set<string>() : functionWords;
  const latin = latinLanguageOfQuestion(query);
  const unstemmed = yield* buildQuery(tokens, new QueryBuilder(counted, formsWithoutOwn));
  if (!hasOwnStems(tokens, latin)) return unstemmed;
  const terms = yield* buildQuery(tokens, new QueryBuilder(counted, (word) => wordForms(word, latin)));
  return { ...terms, unstemmed };
}

function* buildQuery(tokens: readonly Token[], builder: QueryBuilder): Steps<QueryTerms> {
  for (const [at, token] of tokens.entries()) {
    builder.add(token);
    if (at % TOKENS_PER_STEP === 0) yield;
  }
  return yield* builder.build();
}

function formsWithoutOwn(word: string): WordForms {
  const { stem, exact } = wordForms(word);
  return { stem, exact };
}

function hasOwnStems(tokens: readonly Token[], latin: LatinLanguage): boolean {
  return tokens.some(
    (token) =>
      token.kind === 'words' &&
      [...token.wholes, ...token.parts].some((word) => wordForms(word, latin).own !== undefined),
  );
}

/** What is asked of the chunks of these statistics: the stems of their own language only where each of them has those. */
export function termsFor(query: QueryTerms, statistics: Pick<StatisticsView, 'chunkCount' | 'df'>): QueryTerms {
  const { unstemmed } = query;
  if (unstemmed === undefined) return query;
  return statistics.df(STEMS_HASH) >= statistics.chunkCount ? query : unstemmed;
}

/**
 * What a store is asked with: the distinct terms of each leg, rarest-looking first, with function words last. In sum below
 * the limits of `QUERY_TERM_LIMITS`.
 */
export function candidateTerms(query: QueryTerms): { words: string[]; grams: string[]; title: string[] } {
  const ordered = (terms: readonly QueryTerm[]): string[] => byPromise(terms).map(({ term }) => term);
  return { words: ordered(query.words), grams: ordered(query.grams), title: ordered(query.title) };
}
