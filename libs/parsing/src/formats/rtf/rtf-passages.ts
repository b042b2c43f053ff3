import type { BlockShape } from '../../html/block-writer.js';
import { commentText } from '../ooxml/comment-text.js';
import type { GroupState } from './rtf-state.js';
import type { RtfStyles } from './rtf-styles.js';
import type { RtfTables } from './rtf-tables.js';

export type PassageKind = 'body' | 'frame' | 'footnote' | 'annotation';

/** A paragraph being read; notes and frames have theirs while the one around them waits. */
interface Passage {
  kind: PassageKind;
  /** Number of open groups where it began. */
  depth: number;
  parts: string[];
  marker: string;
  lines: string[];
}

/** Puts the pieces of text together to paragraphs, notes and comments, and writes them in their order. */
export class RtfPassages {
  notes = 0;
  /** Author of the comment that follows. */
  author = '';
  private readonly tables: RtfTables;
  private readonly styles: RtfStyles;
  private readonly passages: Passage[] = [newPassage('body', 0)];
  private readonly remarks: string[] = [];
  private readonly numbers = { footnote: 0, endnote: 0 };
  private isEndnote = false;

  constructor(tables: RtfTables, styles: RtfStyles) {
    this.tables = tables;
    this.styles = styles;
  }

  /** Whether the document itself is being read, and no note or frame in it. */
  get isInBody(): boolean {
    return this.passages.length === 1;
  }

  text(text: string): void {
    this.passages.at(-1)!.parts.push(text);
  }

  beginMarker(): void {
    this.passages.at(-1)!.marker = '';
  }

  /** Text of the number or bullet in front of the paragraph. */
  marker(text: string): void {
    this.passages.at(-1)!.marker += text;
  }

  /** The note that is being read is at the end of the document. */
  markEndnote(): void {
    this.isEndnote = true;
  }

  begin(kind: PassageKind, depth: number): void {
    this.isEndnote = false;
    this.passages.push(newPassage(kind, depth));
  }

  /** Tells that the group at this depth ends; ends the note or frame that began with it. */
  leave(depth: number, state: GroupState): void {
    if (this.passages.length > 1 && this.passages.at(-1)!.depth === depth) this.end(state);
  }

  endParagraph(state: GroupState, tableLevel = state.tableLevel): void {
    const passage = this.passages.at(-1)!;
    // Halves of a pair come as two characters.
    const text = passage.parts.join('').toWellFormed();
    const marker = passage.marker.trim();
    passage.parts = [];
    passage.marker = '';
    if (passage.kind === 'footnote' || passage.kind === 'annotation') {
      if (/\S/.test(text)) passage.lines.push(text.trim());
      return;
    }
    if (/\S/.test(text)) {
      const { shape, label } = this.describe(state, marker);
      this.tables.paragraph(tableLevel, shape, text, label);
    }
    if (this.isInBody && tableLevel === 0) this.writeRemarks();
  }

  /** Text between the last cell and the end of a row belongs to nothing. */
  dropRest(): void {
    this.passages.at(-1)!.parts = [];
  }

  finish(state: GroupState): void {
    while (this.passages.length > 1) this.end(state);
    this.endParagraph(state);
    this.tables.finish();
    this.writeRemarks();
  }

  private end(state: GroupState): void {
    this.endParagraph(state);
    const { kind, lines } = this.passages.pop()!;
    const text = lines.join('\n');
    if (kind === 'frame' || text === '') return;
    this.notes += 1;
    if (kind === 'annotation') {
      this.remarks.push(commentText({ author: this.author.trim(), text }));
      this.author = '';
      return;
    }
    const note = this.isEndnote ? 'endnote' : 'footnote';
    this.numbers[note] += 1;
    this.remarks.push(`${note === 'endnote' ? 'Endnote' : 'Footnote'} ${this.numbers[note]}: ${text}`);
  }

  private describe(state: GroupState, marker: string): { shape: BlockShape; label: string } {
    const { style, outlineLevel, listLevel } = state;
    const level = this.styles.headingLevel(style, outlineLevel);
    const isBullet = !/[\p{L}\p{N}]/u.test(marker);
    if (level !== undefined) return { shape: { kind: 'heading', level }, label: isBullet ? '' : `${marker} ` };
    if (marker === '') return { shape: { kind: 'paragraph' }, label: '' };
    return { shape: { kind: 'list_item', level: listLevel + 1 }, label: isBullet ? '- ' : `${marker} ` };
  }

  private writeRemarks(): void {
    for (const text of this.remarks.splice(0)) this.tables.paragraph(0, { kind: 'paragraph' }, text, '');
  }
}

function newPassage(kind: PassageKind, depth: number): Passage {
  return { kind, depth, parts: [], marker: '', lines: [] };
}
