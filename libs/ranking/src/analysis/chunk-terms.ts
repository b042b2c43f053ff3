import { HANGUL } from './characters.js';
import { eachAlphabetGram, eachRunWord, eachWindow, gramsOf } from './ngrams.js';
import { foldDiacritics, lowerCase, normalizeText } from './normalize.js';
import { latinLanguageOf, STEMS_MARK, type LatinLanguage } from './own-stems.js';
import type { Leg } from './term-hash.js';
import { MAX_TERM_LENGTH, wordForms } from './word-forms.js';
import { visitTokens } from './tokenize.js';
import type { RunClass, TokenVisitor } from './tokenize.js';

/**
 * Names the analysis. Terms, statistics and indexes of different versions must never meet: a change of anything below
 * `analysis/` that changes a term is a new version and a reindex.
 */
export const ANALYSIS_VERSION = '1';
/**
 * Counts what was added to the terms of chunks since then without changing any: such terms are asked for only where all chunks have
 * them, which `termsFor` sees to, so a dataset is ranked as before until its last document is ingested again. 2: stems of Arabic, Russian, Turkish.
 */
export const ADDED_TERMS_VERSION = '2';

/** What a chunk is found by. */
export interface ChunkInput {
  /** The text that is shown. */
  text: string;
  /** Name of the document; a file name without its extension. Separators and capitals in it are understood. */
  title?: string;
  /** Headings above the chunk, outermost first. */
  headings?: readonly string[];
}

/**
 * The terms of a chunk, in their order and with repetitions. Every term is well-formed, not empty, at most 64 UTF-16 units
 * long and free of whitespace and control characters.
 */
export interface ChunkTerms {
  /** Stems, exact words, identifiers whole and in parts; n-grams for scripts without spaces. */
  readonly words: readonly string[];
  /** Character n-grams, chosen by script. */
  readonly grams: readonly string[];
  /** As `words`, of the title and the headings. */
  readonly title: readonly string[];
  /** Lengths of the legs for length normalisation: forms of one token count once. */
  readonly lengths: { readonly words: number; readonly grams: number; readonly title: number };
}

/** Where the terms of a text go; a term is `text[start, end)`. */
export interface TermSink {
  word(text: string, start: number, end: number): void;
  gram(text: string, start: number, end: number): void;
}

/** Finds the n-grams of a text. */
class GramCollector implements TokenVisitor {
  private joined = '';

  constructor(private readonly grams: Pick<TermSink, 'gram'>) {}

  word(word: string): void {
    this.joined += foldDiacritics(word);
  }

  compound(wholes: readonly string[], parts: readonly string[]): void {
    this.joined += foldDiacritics(parts.length === 0 ? wholes[0]! : parts.join(''));
  }

  run(characters: string, script: RunClass): void {
    this.flush();
    eachWindow(characters, gramsOf(script).grams, (start, end) => this.grams.gram(characters, start, end));
  }

  /** Cuts the letters and digits gathered so far into n-grams; words are joined at their borders. */
  flush(): void {
    const { joined, grams } = this;
    this.joined = '';
    eachAlphabetGram(joined, (start, end) => grams.gram(joined, start, end));
  }
}

/** Finds the terms of a text. */
class TermCollector extends GramCollector {
  /** Number of tokens so far. */
  wordCount = 0;

  constructor(
    private readonly sink: TermSink,
    private readonly latin: LatinLanguage,
  ) {
    super(sink);
  }

  override word(word: string): void {
    this.takeForms(word);
    super.word(word);
  }

  override compound(wholes: readonly string[], parts: readonly string[]): void {
    for (const whole of wholes) this.takeForms(whole);
    for (const part of parts) this.takeForms(part);
    super.compound(wholes, parts);
  }

  override run(characters: string, script: RunClass): void {
    super.run(characters, script);
    const take = (start: number, end: number): void => {
      this.sink.word(characters, start, end);
      this.wordCount += 1;
    };
    eachRunWord(characters, script, take);
    if (script === HANGUL && characters.length > 2 && characters.length <= MAX_TERM_LENGTH) take(0, characters.length);
  }

  private takeForms(word: string): void {
    const { stem, exact, own } = wordForms(word, this.latin);
    if (stem !== '') this.sink.word(stem, 0, stem.length);
    for (const form of exact) this.sink.word(form, 0, form.length);
    if (own !== undefined && own.stem !== stem && !exact.includes(own.stem))
      this.sink.word(own.stem, 0, own.stem.length);
    this.wordCount += 1;
  }
}

/** Hands every term of the text to the sink; returns the number of tokens. `latin`: as of `wordForms`. */
export function collectTerms(text: string, sink: TermSink, latin: LatinLanguage): number {
  const normalized = normalizeText(text);
  const collector = new TermCollector(sink, latin);
  visitTokens(normalized, lowerCase(normalized), collector);
  collector.flush();
  return collector.wordCount;
}

/** Hands the n-grams of the text to the sink, the same ones as `collectTerms`, in half its time. */
export function collectGrams(text: string, sink: Pick<TermSink, 'gram'>): void {
  const normalized = normalizeText(text);
  const collector = new GramCollector(sink);
  visitTokens(normalized, lowerCase(normalized), collector);
  collector.flush();
}

/** The title and the headings as one text. */
export function titleOf(input: ChunkInput): string {
  return [input.title ?? '', ...(input.headings ?? [])].join('\n');
}

/** The terms by which a chunk is indexed and ranked. Pure and deterministic; belongs to `ANALYSIS_VERSION`. */
export function analyzeChunk(input: ChunkInput): ChunkTerms {
  const terms: Record<Leg, string[]> = { words: [], grams: [], title: [] };
  const push = (leg: Leg) => (text: string, start: number, end: number) => void terms[leg].push(text.slice(start, end));
  const latin = latinLanguageOf(input.text);
  const words = collectTerms(input.text, { word: push('words'), gram: push('grams') }, latin);
  terms.words.push(STEMS_MARK);
  const title = collectTerms(titleOf(input), { word: push('title'), gram: () => undefined }, latin);
  return { ...terms, lengths: { words, grams: terms.grams.length, title } };
}
