import { wordForms } from '../analysis/word-forms.js';
import type { Term } from './overlap.js';
import { areSynonyms } from './thesaurus.js';

/** Credit for a word that stands in the other text in another form, in a compound, or as another everyday word. */
const STEM = 0.9;
const INFLECTED = 0.8;
const COMPOUND = 0.6;
const SYNONYM = 0.6;

/** Words that are longer share this many first letters with their inflected forms, at least. */
const MIN_STEM = 4;
/** Inflected forms share this much of the longer word, from its start. */
const SHARED = 0.65;

/** How far a word of a text stands for a word of a question, 0..1. Both are folded. */
export function relationOf(asked: Pick<Term, 'form' | 'sort'>, found: string): number {
  const { form } = asked;
  if (form === found) return 1;
  if (asked.sort !== 'word') return 0;
  if (form.length >= 3 && found.length >= 3 && wordForms(form).stem === wordForms(found).stem) return STEM;
  if (form.length >= MIN_STEM && found.length >= MIN_STEM) {
    if (areForms(form, found)) return INFLECTED;
    if (isPart(found, form) && (form.startsWith(found) || form.endsWith(found))) return COMPOUND;
    if (form.length > MIN_STEM && found.includes(form)) return COMPOUND;
  }
  return areSynonyms(form, found) ? SYNONYM : 0;
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
