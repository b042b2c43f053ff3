import { createHash } from 'node:crypto';
import { countEncodingDamage } from './similarity/encoding-damage.js';
import { TextSketch } from './similarity/min-hash.js';
import type { TextFacts } from './document-facts.js';

/** A surveyed text. */
export interface SurveyedText {
  readonly facts: TextFacts;
  /** Null for a text without words. */
  readonly signature: Int32Array | null;
}

/** Reads a text piece by piece and keeps only numbers. */
export class TextSurvey {
  private readonly hash = createHash('sha256');
  private readonly sketch = new TextSketch();
  private characters = 0;
  private isBlank = true;
  private replaced = 0;
  private misread = 0;

  add(piece: string): void {
    this.hash.update(piece);
    this.sketch.add(piece);
    this.characters += piece.length;
    this.isBlank &&= !/\S/u.test(piece);
    const damage = countEncodingDamage(piece);
    this.replaced += damage.replacedCharacters;
    this.misread += damage.misreadSequences;
  }

  finish(): SurveyedText {
    const facts: TextFacts = {
      hash: this.hash.digest('hex'),
      characters: this.characters,
      is_blank: this.isBlank,
      replaced_characters: this.replaced,
      misread_sequences: this.misread,
    };
    return { facts, signature: this.sketch.finish() };
  }
}
