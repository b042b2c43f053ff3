import { alternativeText } from '../../output/alternative-text.js';
import type { XmlAttributes } from '../../xml/xml-reader.js';

/** Longer ones are cut anyway. */
const MAX_UNITS = 4000;
const PARTS: Readonly<Record<string, 'title' | 'description'>> = { 'svg:title': 'title', 'svg:desc': 'description' };

/** Reads the alternative texts of frames and shapes: a title, a description, or both. Decorative ones have none. */
export class OdfDescription {
  private readonly texts = { title: '', description: '' };
  private inside: 'title' | 'description' | undefined;
  /** Whether each open frame or shape is decorative. */
  private readonly shapes: boolean[] = [];

  open(name: string, attributes: XmlAttributes): void {
    if (name.startsWith('draw:')) this.shapes.push(attributes['loext:decorative'] === 'true');
    this.inside = PARTS[name] ?? this.inside;
  }

  /** Whether what is read now is an alternative text, or a part of it. */
  get isOpen(): boolean {
    return this.inside !== undefined;
  }

  text(text: string): void {
    if (this.inside === undefined || this.shapes.at(-1) === true) return;
    if (this.texts[this.inside].length < MAX_UNITS) this.texts[this.inside] += text;
  }

  /** The alternative text when a shape that has one ends here, else an empty one. */
  close(name: string): string {
    if (PARTS[name] !== undefined) this.inside = undefined;
    if (!name.startsWith('draw:')) return '';
    this.shapes.pop();
    const { title, description } = this.texts;
    Object.assign(this.texts, { title: '', description: '' });
    return alternativeText(description, title);
  }
}
