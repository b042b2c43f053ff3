import { finish } from '#libs/common';
import {
  answerExtractivelySteps,
  type ExtractiveAnswer,
  type ExtractiveOptions,
  type ExtractiveSource,
} from './extractive.js';

/** `answerExtractivelySteps`, all at once. */
export function answerExtractively(
  question: string,
  sources: readonly ExtractiveSource[],
  options?: ExtractiveOptions,
): ExtractiveAnswer | null {
  return finish(answerExtractivelySteps(question, sources, options));
}
