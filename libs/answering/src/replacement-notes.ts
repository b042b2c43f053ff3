import { detectLanguage } from '#libs/text';
import type { StatedDate } from './source-date.js';

const PHRASES: Readonly<Record<string, (date: string) => string>> = {
  en: (date) => `This replaces the older statement (${date}): `,
  de: (date) => `Dies ersetzt die ältere Angabe (${date}): `,
  fr: (date) => `Cela remplace l’indication antérieure (${date}) : `,
  es: (date) => `Esto sustituye a la indicación anterior (${date}): `,
  it: (date) => `Questo sostituisce l’indicazione precedente (${date}): `,
  pt: (date) => `Isto substitui a indicação anterior (${date}): `,
  nl: (date) => `Dit vervangt de oudere opgave (${date}): `,
  tr: (date) => `Bu, önceki bilginin (${date}) yerine geçer: `,
  ru: (date) => `Это заменяет прежнее указание (${date}): `,
  zh: (date) => `以上取代较早的说法（${date}）：`,
};

const NOTE = new RegExp(
  `^(?:${Object.values(PHRASES)
    .map((phrase) => phrase('\u0000').trim().replace(/[()]/g, '\\$&').replace('\u0000', '[^()（）]{4,40}'))
    .join('|')})\\s*`,
  'u',
);

/** A statement without the words that say that it is replaced: they are the answerer's own, and nothing of a source supports them. */
export function withoutReplacementNote(statement: string): string {
  return statement.replace(NOTE, '');
}

/** Says in the language of a question that what was quoted replaces what follows. */
export function replacementPhrase(question: string): (date: StatedDate) => string {
  const phrase = PHRASES[detectLanguage(question).language] ?? PHRASES['en']!;
  return ({ text }) => phrase(text);
}
