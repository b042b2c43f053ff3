import { Likeness, type Embedder, type MeaningCentre } from '#libs/ai';
import type { ChunkId } from '#libs/common';
import { detectLanguage } from '#libs/text';

/** What statements are compared by. */
export interface Look {
  readonly embedder: Embedder;
  readonly centre: MeaningCentre;
  /** Of the question. */
  readonly language: string;
  readonly likeness: Likeness;
  /** From here on the model's word is taken for an answer. */
  readonly answersFrom: number;
}

/** A text that is looked at. */
export interface LookedText {
  readonly id: ChunkId;
  readonly body: string;
  /** The headings above it, a line each. */
  readonly title: string;
  /** Its statements (`splitStatements`); null for one that says nothing by itself, and for those beyond the most. */
  readonly texts: readonly (string | null)[];
}

/** Similarities of texts to the question with this vector. */
export function likenessTo(
  question: Float32Array,
  { centre, embedder, language }: Pick<Look, 'centre' | 'embedder' | 'language'>,
): Likeness {
  return new Likeness(centre, embedder.descriptor.meaningFrom, question, language);
}

/** The language of a text; where it cannot be told, that of the question. */
export function languageOf({ body }: LookedText, { language }: Look): string {
  const detected = detectLanguage(body).language;
  return detected === 'und' ? language : detected;
}
