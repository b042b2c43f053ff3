/**
 * Runs in a thread of its own: the dictionaries take a third of a second to load, and a long password as much to judge.
 * Imports packages only, so that the thread starts from the sources as from the build.
 */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonWords } from '@zxcvbn-ts/language-common';
import { dictionary as englishWords, translations } from '@zxcvbn-ts/language-en';

export interface StrengthRequest {
  readonly id: number;
  readonly password: string;
  /** Words that an attacker would try first: the e-mail address, names. */
  readonly words: readonly string[];
}

export interface StrengthAnswer {
  readonly id: number;
  /** zxcvbn's score, 0 to 4. */
  readonly score: number;
  /** What is wrong and what to change, as sentences; empty for a strong password. */
  readonly advice: readonly string[];
}

/**
 * Readings of a password with letters for look-alikes (`4` for `a`). The work grows with their number times the length: with
 * the library's 100 it is 1.8 s for 128 characters, with 20 it is 0.5 s. Readings without a doubt come first.
 */
const MAX_READINGS = 20;

const strength = new ZxcvbnFactory({
  dictionary: { ...commonWords, ...englishWords },
  graphs: adjacencyGraphs,
  translations: {
    ...translations,
    warnings: { ...translations.warnings, userInputs: 'Parts of your e-mail address or of names are easy to guess.' },
  },
  l33tMaxSubstitutions: MAX_READINGS,
});

parentPort?.on('message', ({ id, password, words }: StrengthRequest) => {
  const { score, feedback } = strength.check(password, [...words]);
  const advice = [feedback.warning, ...feedback.suggestions].flatMap((line) => (line ? [line] : []));
  const answer: StrengthAnswer = { id, score, advice };
  parentPort?.postMessage(answer);
});
