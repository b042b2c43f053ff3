import type { Steps } from '#libs/common';
import { splitSentences } from '#libs/text';
import type { Passage } from './extracted.js';
import type { WordUse } from './name-context.js';
import { wordsOf, type Word } from './sentence-words.js';

/** A sentence of a passage. */
export interface Sentence {
  readonly text: string;
  /** In the canonical text. */
  readonly start: number;
  readonly passage: number;
  readonly words: readonly Word[];
}

/** The sentences of all passages, each once where passages overlap. */
export function* sentencesOf(passages: readonly Passage[], language: string): Steps<Sentence[]> {
  const sentences: Sentence[] = [];
  let done = 0;
  for (const [passage, { start, text }] of passages.entries()) {
    for (const range of splitSentences(text)) {
      if (start + range.start < done) continue;
      const body = text.slice(range.start, range.end);
      sentences.push({ text: body, start: start + range.start, passage, words: wordsOf(body, language) });
    }
    done = Math.max(done, start + text.length);
    yield;
  }
  return sentences;
}

/** Which words are in small letters, and which in capitals within a sentence. */
export function wordUseOf(sentences: readonly Sentence[], language: string): WordUse {
  const small = new Set<string>();
  const capital = new Set<string>();
  for (const { words } of sentences) {
    for (const word of words) {
      if (!word.capital) small.add(word.lower);
      else if (!word.begins) capital.add(word.lower);
    }
  }
  return { small, capital, nounsInCapitals: language === 'de' || language === 'lb' };
}
