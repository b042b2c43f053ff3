import { askInChinese } from './chinese.js';
import { askInEnglish } from './english.js';
import { askInFrench } from './french.js';
import { askInGerman } from './german.js';
import type { MadeQuestion, SentenceRule } from './question-rules.js';
import { askInSpanish } from './spanish.js';

const RULES: Readonly<Record<string, SentenceRule>> = {
  de: askInGerman,
  en: askInEnglish,
  es: askInSpanish,
  fr: askInFrench,
  zh: askInChinese,
};

/** Languages whose sentences can be turned into questions, as BCP 47 primary tags. */
export const QUESTION_LANGUAGES: readonly string[] = Object.keys(RULES);

const MIN_SENTENCE = 24;
const MIN_CHINESE = 8;
const MAX_SENTENCE = 300;
const MIN_QUESTION_WORDS = 4;
const END = /[.!。！]$/u;
/** Headings, list items, quotations and rows of tables are seldom sentences that can be understood alone. */
const MARKED = /^\s*(?:#{1,6}\s|[-*+•‣▪–]\s|\d{1,3}[.)]\s|>|\|)/u;
/** A sentence that seems to end at a short form was cut there. */
const CUT_SHORT =
  /(?:^|[\s(])(?:zzgl|inkl|exkl|ca|bzw|nr|evtl|ggf|vgl|approx|incl|excl|vs|e\.g|i\.e|z\. ?b|d\. ?h|núm|aprox)\.$/iu;
/** Running text that the width of a page broke has longer lines; a shorter one is a heading, a label or a line of an address. */
const SHORTEST_BROKEN_LINE = 30;
const FOREIGN_SIGNS = /[|{}<>[\]\\_=`;*#]|https?:|\?|\S@\S/u;

/**
 * A question that a sentence answers, with the words of the sentence that answer it. It is made by patterns of the language without knowledge of
 * grammar, so some questions are clumsy. Sentences that depend on others (“It is …”), lists, headings and code give none. The same sentence gives
 * the same question.
 */
export function makeQuestion(sentence: string, language: string): MadeQuestion | undefined {
  const rule = Object.hasOwn(RULES, language) ? RULES[language] : undefined;
  if (rule === undefined || MARKED.test(sentence) || hasLabel(sentence, language)) return undefined;
  const plain = sentence.replace(/\s+/gu, ' ').trim();
  const least = language === 'zh' ? MIN_CHINESE : MIN_SENTENCE;
  if (
    plain.length < least ||
    plain.length > MAX_SENTENCE ||
    !END.test(plain) ||
    FOREIGN_SIGNS.test(plain) ||
    CUT_SHORT.test(plain)
  )
    return undefined;
  const made = rule(plain.replace(END, '').trim());
  if (made === undefined) return undefined;
  const isWhole = language === 'zh' || made.question.split(' ').length >= MIN_QUESTION_WORDS;
  // A definition may be short: “What is a valve?”
  return isWhole || /^(?:What|Was|¿Qué|Qu)/u.test(made.question) ? made : undefined;
}

/** Whether a line of a heading or a label runs into the sentence. */
function hasLabel(sentence: string, language: string): boolean {
  const lines = sentence.trim().split('\n').slice(0, -1);
  return language !== 'zh' && lines.some((line) => line.trim().length < SHORTEST_BROKEN_LINE);
}
