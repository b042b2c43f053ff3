import { HANGUL } from './characters.js';
import { eachAlphabetGram, eachRunWord, eachWindow, gramsOf } from './ngrams.js';
import { foldDiacritics, lowerCase, normalizeText } from './normalize.js';
import { MAX_TERM_LENGTH, wordForms } from './word-forms.js';
import { visitTokens } from './tokenize.js';
import type { RunClass, TokenVisitor } from './tokenize.js';

/**
 * Names the analysis. Terms, statistics and indexes of different versions must never meet: a change of anything below
 * `analysis/` that changes a term is a new version and a reindex.
 */
export const ANALYSIS_VERSION = '1';

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

/** Collects the terms of a text into two streams. */
class TermCollector implements TokenVisitor {
  readonly words: string[] = [];
  readonly grams: string[] = [];
  wordCount = 0;
  private joined = '';

  word(word: string): void {
    this.takeForms(word);
    this.joined += foldDiacritics(word);
  }

  compound(wholes: readonly string[], parts: readonly string[]): void {
    for (const whole of wholes) this.takeForms(whole);
    for (const part of parts) this.takeForms(part);
    this.joined += foldDiacritics(parts.length === 0 ? wholes[0]! : parts.join(''));
  }

  run(characters: string, script: RunClass): void {
    this.flush();
    const points = Array.from(characters);
    eachRunWord(points, script, (gram) => this.take(gram));
    if (script === HANGUL && points.length > 2 && characters.length <= MAX_TERM_LENGTH) this.take(characters);
    eachWindow(points, gramsOf(script).grams, (gram) => this.grams.push(gram));
  }

  /** Cuts the letters and digits gathered so far into n-grams; words are joined at their borders. */
  flush(): void {
    const { joined } = this;
    this.joined = '';
    eachAlphabetGram(joined, (gram) => this.grams.push(gram));
  }

  private takeForms(word: string): void {
    const { stem, exact } = wordForms(word);
    if (stem !== '') this.words.push(stem);
    for (const form of exact) this.words.push(form);
    this.wordCount += 1;
  }

  private take(word: string): void {
    this.words.push(word);
    this.wordCount += 1;
  }
}

function collect(text: string): TermCollector {
  const normalized = normalizeText(text);
  const collector = new TermCollector();
  visitTokens(normalized, lowerCase(normalized), collector);
  collector.flush();
  return collector;
}

/** The terms by which a chunk is indexed and ranked. Pure and deterministic; belongs to `ANALYSIS_VERSION`. */
export function analyzeChunk(input: ChunkInput): ChunkTerms {
  const body = collect(input.text);
  const title = collect([input.title ?? '', ...(input.headings ?? [])].join('\n'));
  return {
    words: body.words,
    grams: body.grams,
    title: title.words,
    lengths: { words: body.wordCount, grams: body.grams.length, title: title.wordCount },
  };
}

/** The token streams to be joined by a space and indexed with a whitespace tokeniser, one field a leg. */
export function indexTerms(terms: ChunkTerms): { words: string[]; grams: string[]; title: string[] } {
  return { words: [...terms.words], grams: [...terms.grams], title: [...terms.title] };
}
