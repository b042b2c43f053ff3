/**
 * Runs in a separate thread, because loading the dictionaries takes a third of a second, and so does rating a long password. Imports only
 * packages, so that the thread can be started from the sources and from the build.
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
  /** Problems and remedies as sentences; empty for a strong password. */
  readonly advice: readonly string[];
}

/**
 * Maximum number of readings of a password with letters for look-alikes (`4` for `a`). The duration grows with this number times the
 * length: with the library's 100 it is 1.8 s for 128 characters, with 20 it is 0.5 s. Unambiguous readings come first.
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
