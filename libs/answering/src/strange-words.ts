import { contextForms } from './asked-part.js';
import { frameWeight } from './frame-words.js';
import type { Term } from './overlap.js';
import { contentTermsOf, TIMES } from './question-profile.js';
import { formsIn, QUESTION_WORD } from './question-words.js';
import { SourceReader } from './source-reader.js';
import { PRICE_WORD } from './tied-rows.js';

/** Words of a question that are left out one by one, at most. */
const MOST_WORDS = 8;
/** A word that a statement holds less than this far is not in it. */
const HELD = 0.4;

/** Says how, how often or how sure, and names no thing, folded: “when *precisely*”, “wann *normalerweise*”, “quand *normalement*”. */
const ADVERB =
  /^(?:(?!(?:fami|assemb|supp|rep|anoma|butterf|monopo|ita|ju)ly$)\p{L}{3,}ly|\p{L}{3,}(?:er|s)weise|\p{L}{3,}mente|(?:norma|genera|tota|fina)lement|(?:habitue|actue|ree|officie|partie)llement|(?:exact|precis|vrai|seul|egal|direct|rapid|simpl|immediat|ordinair)e?ment|again|once|ever|still|now|nowadays|often|sometimes|anyway|maybe|please|here|today|genau|eigentlich|gerade|derzeit|aktuell|immer|meist|meistens|oft|ungefahr|uberhaupt|wirklich|denn|bitte|hier|heute|souvent|toujours|encore|environ|bien|ahora|siempre|todavia|aqui|hoy)$/u;

/** Says only that something is had, kept, brought, used or enough, folded: another verb may say the same of it, or none. */
const LIGHT_VERB =
  /^(?:keep|keeps|kept|keeping|get|gets|got|bring|brings|brought|take|takes|use|uses|need|needs|want|wants|put|suffices?|halte|halten|haltet|bekomm\p{L}{0,2}|krieg\p{L}{0,2}|(?:mit|unter)?bring\p{L}{0,2}|(?:mit)?nehm\p{L}{0,2}|(?:be)?nutz\p{L}{0,2}|verwend\p{L}{0,2}|brauch\p{L}{0,2}|mach\p{L}{0,2}|reich(?:en|t)|genug(?:en|t)|gelten|gilt|(?:ab)?stell\p{L}{0,2}|zuruck|avoir|prendre|apporter|emmener|amener|utiliser|garder|recevoir|obtenir|mettre|suffit|suffire|tener|llevar|traer|usar|utilizar|recibir|obtener|poner|bastar?|sirve)$/u;

/** A statement that shares words with a question and may lack others. */
export interface PartlySaid {
  /** Places of the text and of the statement in it (`splitStatements`). */
  readonly text: number;
  readonly at: number;
  /** How many words of the matter it holds. */
  readonly held: number;
  /** Forms of what it lacks. */
  readonly lacks: readonly string[];
}

/**
 * The question without one of its words of the matter, by the form of the word. A word that is strange to a statement makes the question less like
 * it: “how many rabbits may I keep” is less like “hens may be kept” than “how many may I keep” is, while “motorbike” brings a question nearer to
 * what is said of motorcycles. Words of prices and time, adverbs, verbs of having and using, and scripts without spaces are not left out. Pure.
 */
export function questionsWithout(question: string): ReadonlyMap<string, string> {
  const context = contextForms(question);
  const forms = new Set(
    contentTermsOf(question).flatMap((term) => (mayLeadAway(term) && !context.has(term.form) ? [term.form] : [])),
  );
  const spans = new Map<string, [start: number, end: number][]>();
  for (const { 0: word, index } of question.matchAll(QUESTION_WORD)) {
    const [term, ...others] = formsIn(word);
    // Parts of a run of several scripts are no words of their own.
    if (term === undefined || others.length > 0 || !forms.has(term.form)) continue;
    const known = spans.get(term.form) ?? [];
    if (known.length === 0 && spans.size === MOST_WORDS) break;
    spans.set(term.form, [...known, [index, index + word.length]]);
  }
  const rests = [...spans].map(([form, places]): [string, string] => [form, without(question, places)]);
  return new Map(rests.filter(([, rest]) => rest !== ''));
}

/** A text without these stretches, which follow each other. */
function without(text: string, places: readonly (readonly [number, number])[]): string {
  let rest = '';
  let from = 0;
  for (const [start, end] of places) {
    rest += `${text.slice(from, start)} `;
    from = end;
  }
  return `${rest}${text.slice(from)}`.replace(/\s+/g, ' ').trim();
}

/** The statements, no rows of tables, that hold some word of the matter of a question and what they lack of it; those that hold most come first. Pure. */
export function partlySaid(
  question: string,
  texts: readonly { readonly text: string; readonly title: string }[],
): PartlySaid[] {
  const terms = contentTermsOf(question);
  const context = contextForms(question);
  const mayLead = (term: Term): boolean => mayLeadAway(term) && !context.has(term.form);
  const reader = new SourceReader(terms);
  const found = texts.flatMap(({ text, title }, place) => {
    const read = reader.read(text, title);
    return read.sentences.flatMap(({ kind, isHead, matches }, at): PartlySaid[] => {
      if (kind === 'row' || kind === 'heading' || isHead) return [];
      const isHeld = (index: number): boolean => Math.max(matches[index]!, read.title[index]!) >= HELD;
      const held = matches.filter((match, index) => match >= HELD && isOfMatter(terms[index]!)).length;
      const lacks = terms.filter((term, index) => mayLead(term) && !isHeld(index)).map(({ form }) => form);
      return held === 0 ? [] : [{ text: place, at, lacks, held }];
    });
  });
  return found.toSorted((a, b) => b.held - a.held);
}

function mayLeadAway(term: Term): boolean {
  return isOfMatter(term) && !LIGHT_VERB.test(term.form);
}

function isOfMatter({ form, sort }: Term): boolean {
  return (
    sort === 'word' && frameWeight(form) === 1 && !PRICE_WORD.test(form) && !TIMES.test(form) && !ADVERB.test(form)
  );
}
