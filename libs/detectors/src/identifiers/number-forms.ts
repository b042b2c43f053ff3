import { type ContextWords, scoreNear } from '../context.js';
import { digitsOf } from '../digits.js';
import type { Candidate, WrittenForm } from '../pattern-detector.js';

/** Not inside a longer number, a decimal, a word or a name with hyphens. */
const OPEN = '(?<![\\dA-Za-z_]|\\d[.,/-])';
const CLOSE = '(?![\\dA-Za-z_]|[.,/-]\\d)';

/** A pattern that is alone: what is given, with nothing of a number around it. */
export function alone(pattern: string): RegExp {
  return new RegExp(`${OPEN}(?:${pattern})${CLOSE}`, 'g');
}

export interface NumberForm {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly words: ContextWords;
  /** Score without and with words that support it. */
  readonly scores: { readonly bare: number; readonly supported: number };
  readonly isValid: (digits: readonly number[], value: string) => boolean;
}

/** A number that is judged by its digits first and by the words around it then. */
export function numberForm({ rule, pattern, words, scores, isValid }: NumberForm): WrittenForm {
  const score = ({ text, value, start, end }: Candidate): number =>
    isValid(digitsOf(value), value) ? scoreNear(text, { start, end }, scores, words) : 0;
  return { rule, pattern, score };
}
