import { wordForms } from '#libs/ranking';
import { isActionOf, joinedVerb, strongVerb } from './german-verbs.js';
import { meaningsOf } from './thesaurus.js';

/** Credit for a word that is in the other text in another form, in a compound, or as another everyday word. */
const STEM = 0.9;
const INFLECTED = 0.8;
const COMPOUND = 0.6;
const SYNONYM = 0.6;
const DOER = 0.6;
const ACTION = 0.8;

/** What ends in one of these is not told by it: midnight is no night, and a birthday any day. */
const SPANS_OF_TIME =
  /^(?:night|month|week|nacht|nachts|woche|wochen|monat|monate|stunde|stunden|heure|heures|semaine|semana|semanas)$/u;

/** Short German nouns that other nouns end in, which then mean a kind of them (`Kalenderjahr`), and no words of another kind do. */
const SHORT_HEADS = /^(?:bahn|bild|buch|geld|haus|jahr|lohn|plan|raum|wert|zeit)$/u;
/** Days that are counted, as folded words. No other word that ends so is one of days: `Montage`, `Etage`. */
const DAYS = /^(?:arbeits|fehl|feier|ferien|geschafts|kalender|krankheits|schul|urlaubs|werk)tagen?$/u;

/** Shorter words are not words of which a stem is left. */
const MIN_STEMMED = 3;
/** Words that are longer share this many first letters with their inflected forms, at least. */
const MIN_STEM = 4;
/** Inflected forms share this much of the longer word, from its start. */
const SHARED = 0.65;

/** A folded word with all that it is compared by, found once. */
export interface ComparedWord {
  readonly form: string;
  readonly stem: string;
  /** The word without what parts a German particle from its verb: `eingebaut` as `einbaut`; `form` where it has none. */
  readonly joined: string;
  /** What the forms of a strong German verb and its nouns have in common; undefined for any other word. */
  readonly strong: string | undefined;
  /** Lines of the thesaurus that it is in. */
  readonly meanings: readonly number[];
}

export function comparedWord(form: string): ComparedWord {
  const { stem } = wordForms(form);
  return { form, stem, joined: joinedVerb(form), strong: strongVerb(form), meanings: meaningsOf(stem) };
}

/** How far a word of a text represents a word of a question, 0..1. */
export function relationOf(asked: ComparedWord, other: ComparedWord): number {
  const { form } = asked;
  const found = other.form;
  if (form === found) return 1;
  // Who does something is more than what it is done to: a gardener is no garden.
  if (isDoerOf(form, found)) return DOER;
  if (asked.stem === other.stem && form.length >= MIN_STEMMED && found.length >= MIN_STEMMED) return STEM;
  if (isPluralOf(form, found) || isPluralOf(found, form)) return STEM;
  if (form.length >= MIN_STEM && found.length >= MIN_STEM) {
    if (areForms(form, found) || areForms(asked.joined, other.joined)) return INFLECTED;
    if (asked.strong !== undefined && asked.strong === other.strong) return ACTION;
    if (isActionOf(asked.joined, other.joined) || isActionOf(other.joined, asked.joined)) return ACTION;
    if (isDoerOf(found, form)) return DOER;
    if (isPart(found, form) && (form.startsWith(found) || (form.endsWith(found) && !SPANS_OF_TIME.test(found))))
      return COMPOUND;
    if (form.length > MIN_STEM ? found.includes(form) : isShortHeadOf(form, found)) return COMPOUND;
  }
  return asked.meanings.some((meaning) => other.meanings.includes(meaning)) ? SYNONYM : 0;
}

/** `cleaners` clean: an English word for who does something, and the verb. */
function isDoerOf(doer: string, verb: string): boolean {
  const done = /^(\p{L}{5,})ers?$/u.exec(doer)?.[1];
  return done !== undefined && verb.startsWith(done) && /^(?:e?s|ed|ing)?$/u.test(verb.slice(done.length));
}

/** A German noun too short to be looked for within any word, at the end of one that means a kind of it. */
function isShortHeadOf(form: string, compound: string): boolean {
  return form === 'tage' ? DAYS.test(compound) : SHORT_HEADS.test(form) && compound.endsWith(form);
}

/** `buses`, `boxes`: of a short word its stem does not tell. */
function isPluralOf(plural: string, word: string): boolean {
  return word.length >= MIN_STEMMED && plural === `${word}es` && /(?:[sxz]|[cs]h)$/u.test(word);
}

/** Long enough to be a word of which a compound is made. */
function isPart(part: string, compound: string): boolean {
  return part.length > MIN_STEM && part.length >= compound.length * 0.4;
}

function areForms(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  let shared = 0;
  while (shared < longer && one[shared] === other[shared]) shared++;
  return shared >= MIN_STEM && shared >= longer * SHARED;
}
