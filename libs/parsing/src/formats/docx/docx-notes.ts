import { collectLines } from '../../output/flow.js';
import type { XmlAttributes } from '../../xml/xml-reader.js';
import { authorName, commentText } from '../ooxml/comment-text.js';
import type { OoxmlPackage } from '../ooxml/ooxml-package.js';
import { DocxNumbering } from './docx-numbering.js';
import type { Anchor } from './docx-paragraph.js';
import { DocxReader } from './docx-reader.js';
import type { DocxStyles } from './docx-styles.js';

type NoteKind = Exclude<Anchor['kind'], 'drawing' | 'part'>;

const NOTE_ELEMENTS: Readonly<Record<string, NoteKind>> = {
  'w:footnote': 'footnote',
  'w:endnote': 'endnote',
  'w:comment': 'comment',
};
const LABELS = { footnote: 'Footnote', endnote: 'Endnote' } as const;

/** Footnotes, endnotes and comments of a document, to be written behind the paragraph that refers to them. */
export class DocxNotes {
  private readonly styles: DocxStyles;
  private readonly notes = new Map<string, string>();
  private readonly taken = { footnote: 0, endnote: 0, comment: 0 };

  constructor(styles: DocxStyles) {
    this.styles = styles;
  }

  /** Reads a part with notes of any kind. */
  async read(parts: OoxmlPackage, name: string | undefined): Promise<void> {
    const lines: string[] = [];
    let attributes: XmlAttributes = {};
    const reader = new DocxReader(collectLines(lines), this.styles, new DocxNumbering(this.styles), () => undefined);
    await parts.read(name, {
      open: (element, given) => {
        if (NOTE_ELEMENTS[element] === undefined) return reader.open(element, given);
        lines.length = 0;
        attributes = given;
      },
      close: (element) => {
        const kind = NOTE_ELEMENTS[element];
        if (kind === undefined) return reader.close(element);
        reader.releaseCarried();
        const isSeparator = attributes['w:type'] !== undefined && attributes['w:type'] !== 'normal';
        if (!isSeparator) this.add(kind, attributes, lines.join('\n').trim());
      },
      text: (text) => reader.text(text),
    });
  }

  /** Whether there are any. */
  get size(): number {
    return this.notes.size;
  }

  /** The text of a note, once: a second reference to it gives nothing. */
  take(kind: NoteKind, id: string): string | undefined {
    const key = `${kind} ${id}`;
    const text = this.notes.get(key);
    if (text === undefined) return undefined;
    this.notes.delete(key);
    this.taken[kind] += 1;
    return kind === 'comment' ? text : `${LABELS[kind]} ${this.taken[kind]}: ${text}`;
  }

  /** Comments that nothing refers to. */
  *rest(): Generator<string> {
    for (const [key, text] of this.notes) if (key.startsWith('comment ')) yield text;
  }

  private add(kind: NoteKind, attributes: XmlAttributes, text: string): void {
    if (text === '') return;
    const author = authorName(attributes['w:author'] ?? '', attributes['w:initials']);
    const whole = kind === 'comment' ? commentText({ author, date: attributes['w:date'], text }) : text;
    this.notes.set(`${kind} ${attributes['w:id'] ?? ''}`, whole);
  }
}
