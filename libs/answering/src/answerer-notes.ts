import { languageOfQuestion } from '#libs/text';
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

/** What is said of a part of a question that nothing answers; `{}` represents the part. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  en: 'I found no answer to “{}”.',
  de: 'Keine Antwort habe ich gefunden auf „{}“.',
  fr: 'Je n’ai pas trouvé de réponse à « {} ».',
  es: 'No he encontrado respuesta a «{}».',
  it: 'Non ho trovato risposta a «{}».',
  pt: 'Não encontrei resposta a “{}”.',
  nl: 'Ik vond geen antwoord op “{}”.',
  tr: 'Şuna yanıt bulamadım: “{}”.',
  ru: 'Не нашлось ответа на вопрос «{}».',
  zh: '没有找到答案：“{}”。',
};

/** So much of a part is repeated. */
const MOST_OF_PART = 120;

const REPLACED = Object.values(PHRASES).map((phrase) =>
  phrase('\u0000').trim().replace(/[()]/g, '\\$&').replace('\u0000', '[^()（）]{4,40}'),
);
const MISSED = Object.values(NOT_FOUND).map((sentence) =>
  sentence.replace('.', '\\.').replace('{}', `[^”“»]{1,${2 * MOST_OF_PART}}`),
);
const NOTE = new RegExp(`^(?:${[...REPLACED, ...MISSED].join('|')})\\s*`, 'u');
const NOTE_OF_PART = new RegExp(`(?:${MISSED.join('|')})\\s*$`, 'u');

/**
 * A statement without the words that say that it is replaced, and without those that say that a part of the question has no answer: they are
 * the answerer's own, and nothing of a source supports them.
 */
export function withoutNotes(statement: string): string {
  return statement.replace(NOTE, '');
}

/** Says in its own language that nothing answers a part of a question: one sentence, whatever the part holds. */
export function noteOfPart(part: string): string {
  const sentence = NOT_FOUND[languageOfQuestion(part)] ?? NOT_FOUND['en']!;
  const words = part
    .replace(/[“”„«»"[\]]/gu, '')
    .replace(/[.?!…]+(?=\s|$)|[。？！]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const shown =
    words.length <= MOST_OF_PART ? words : `${words.slice(0, MOST_OF_PART).replace(/[\ud800-\udbff]$/, '')}…`;
  return sentence.replace('{}', () => shown);
}

/** Whether an answer ends by saying that a part of the question has none. */
export function lacksPart(answer: string): boolean {
  return NOTE_OF_PART.test(answer);
}

/** Says in the language of a question that what was quoted replaces what follows. */
export function replacementPhrase(question: string): (date: StatedDate) => string {
  const phrase = PHRASES[languageOfQuestion(question)] ?? PHRASES['en']!;
  return ({ text }) => phrase(text);
}
