import { toNormalForm } from '#libs/common';
import { functionCharacters, functionWordsFor } from '#libs/ranking';
import { isUnspacedScript } from '#libs/text';

/** A word, or a character n-gram of a script without spaces, as it is compared between texts. */
export interface Term {
  /** Normalised (NFKC), lower case, without diacritics. */
  form: string;
  /** 1 for a word that says something, less for function words and for n-grams, of which a word gives several. */
  weight: number;
  sort: 'word' | 'number' | 'gram';
  /** False for articles, question words and the like. */
  isContent: boolean;
  /** Of a number of a question that a unit follows: how much it is, in minutes where it is a time (`time`). */
  measure?: { readonly value: number; readonly unit: string; readonly step?: number };
}

const FUNCTION_WEIGHT = 0.1;
const NUMBER_WEIGHT = 1.5;
const GRAM_WEIGHT = 0.5;

/** Words that are longer share this many first letters with their inflected forms, at least. */
const MIN_STEM = 4;

/** Credit for a word that is in the other text in another form, or inside a compound. */
const INFLECTED = 0.8;
const COMPOUND = 0.6;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Negations of English, what its other short forms end with, and what French, Italian and Catalan begin with. The modifier letter is no letter here. */
const ELIDED =
  /(?<![\p{L}\p{N}])(?:ai|are|ca|could|did|does|do|had|has|have|is|may|might|must|need|ought|sha|should|was|were|wo|would)n['’ʼ]t(?![\p{L}\p{N}])|(?<=[\p{L}\p{N}])['’ʼ](?:s|d|m|t|ll|re|ve)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu|presqu|(?:d?a|de|ne|su|co|que|be|bel)ll|un|quest|sant|anch|dov|com)['’ʼ](?=\p{L}{2}|[aey](?!\p{L}))/gu;

/** The text as it is compared: compatibility forms, case and diacritics folded. */
export function foldText(text: string): string {
  return toNormalForm(text, 'NFKD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    .toLowerCase();
}

/** The terms of a text in order: words and numbers; bigrams of Chinese and Japanese, trigrams of Thai and its neighbours. */
export function termsOf(text: string): Term[] {
  const runs = [...withoutElided(foldText(text)).matchAll(WORD)].flatMap(([word]) => splitScripts(word));
  const spaced = runs.filter((run) => !isUnspaced(run));
  const functionWords = functionWordsFor(spaced);
  return runs.flatMap((run) => (isUnspaced(run) ? gramTerms(run) : [wordTerm(run, functionWords.has(run))]));
}

/**
 * A folded text without what an apostrophe leaves of a function word: the end of “the doctor's” and “we'll”, the whole of “mustn't”, the beginning
 * of “l'entrée”, “jusqu'à” and “dell'ufficio”. `libs/ranking` leaves out such letters, too.
 */
function withoutElided(folded: string): string {
  return folded.replace(ELIDED, ' ');
}

function isUnspaced(run: string): boolean {
  return isUnspacedScript(run.charCodeAt(0));
}

/** Cuts where letters of an unspaced script meet others: 「2019年」, “iPhone手机”. */
function splitScripts(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let i = 1; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code >= 0xdc00 && code <= 0xdfff) continue;
    if (isUnspacedScript(code) === isUnspacedScript(word.charCodeAt(i - 1))) continue;
    if (/^\p{M}/u.test(word.slice(i, i + 2))) continue;
    parts.push(word.slice(start, i));
    start = i;
  }
  parts.push(word.slice(start));
  return parts;
}

function wordTerm(form: string, isFunction: boolean): Term {
  if (/^\p{N}+$/u.test(form)) return { form, weight: NUMBER_WEIGHT, sort: 'number', isContent: true };
  return { form, weight: isFunction ? FUNCTION_WEIGHT : 1, sort: 'word', isContent: !isFunction };
}

function gramTerms(run: string): Term[] {
  const characters = [...run];
  const isFunction = functionCharacters(characters);
  const length = run.charCodeAt(0) < 0x1800 ? 3 : 2;
  const terms: Term[] = [];
  for (let i = 0; i === 0 || i + length <= characters.length; i++) {
    const form = characters.slice(i, i + length).join('');
    const isContent = isFunction.slice(i, i + length).includes(false);
    terms.push({ form, weight: isContent ? GRAM_WEIGHT : FUNCTION_WEIGHT / 2, sort: 'gram', isContent });
  }
  return terms;
}

/** The terms of a text, arranged to be asked. */
export class TermBag {
  readonly terms: readonly Term[];
  private readonly forms: ReadonlySet<string>;
  private readonly byStem = new Map<string, string[]>();
  private readonly byTail = new Map<string, string[]>();
  private readonly words: string;

  constructor(terms: readonly Term[]) {
    this.terms = terms;
    this.forms = new Set(terms.map((term) => term.form));
    for (const { form, sort } of terms) {
      if (sort !== 'word' || form.length < MIN_STEM) continue;
      list(this.byStem, form.slice(0, MIN_STEM)).push(form);
      list(this.byTail, form.slice(-MIN_STEM)).push(form);
    }
    this.words = terms
      .filter((term) => term.sort === 'word')
      .map((term) => term.form)
      .join(' ');
  }

  /** Whether the text holds the term: 1 as it is, less as another form of the word, 0 not at all. */
  match(term: Term): number {
    if (this.forms.has(term.form)) return 1;
    const { form, sort } = term;
    if (sort !== 'word' || !term.isContent || form.length < MIN_STEM) return 0;
    const relatives = this.byStem.get(form.slice(0, MIN_STEM)) ?? [];
    if (relatives.some((other) => areForms(form, other))) return INFLECTED;
    const tails = this.byTail.get(form.slice(-MIN_STEM)) ?? [];
    if (relatives.some((other) => isPart(other, form) && form.startsWith(other))) return COMPOUND;
    if (tails.some((other) => isPart(other, form) && form.endsWith(other))) return COMPOUND;
    return form.length > MIN_STEM && this.words.includes(form) ? COMPOUND : 0;
  }
}

function list(map: Map<string, string[]>, key: string): string[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const fresh: string[] = [];
  map.set(key, fresh);
  return fresh;
}

/** Long enough to be a word of which a compound is made. */
function isPart(part: string, compound: string): boolean {
  return part.length > MIN_STEM && part.length >= compound.length * 0.4;
}

/** Inflected forms share at least two thirds of the longer word, from its start. */
function areForms(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  let shared = 0;
  while (shared < longer && one[shared] === other[shared]) shared++;
  return shared >= longer * 0.65;
}

/**
 * How much of a statement the bag's text says, 0..1: the weighted share of its terms found there. A number that the text
 * does not hold caps the result at one half, since a statement with another figure is another statement.
 */
export function supportOf(statement: readonly Term[], bag: TermBag): number {
  const share = shareOf(statement, bag);
  const hasStray = share > 0.5 && statement.some((term) => term.sort === 'number' && bag.match(term) === 0);
  return hasStray ? 0.5 : share;
}

/** The weighted share of a statement's terms that the bag's text holds, 0..1, whatever else it says. */
export function shareOf(statement: readonly Term[], bag: TermBag): number {
  let [found, all] = [0, 0];
  for (const term of statement) {
    found += term.weight * bag.match(term);
    all += term.weight;
  }
  return all === 0 ? 0 : found / all;
}
