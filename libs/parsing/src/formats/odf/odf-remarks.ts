import type { XmlAttributes } from '../../xml/xml-reader.js';
import { commentText } from '../ooxml/comment-text.js';

interface OpenRemark {
  kind: 'footnote' | 'endnote' | 'comment';
  lines: string[];
  author: string;
  date: string;
}

const LABELS = { footnote: 'Footnote', endnote: 'Endnote' } as const;

/** Gathers notes and annotations, which are in the middle of the paragraph they belong to. */
export class OdfRemarks {
  /** Finished ones, to be written behind the paragraph. */
  readonly pending: string[] = [];
  count = 0;
  private readonly numbers = { footnote: 0, endnote: 0 };
  private readonly openRemarks: OpenRemark[] = [];
  private field: 'author' | 'date' | undefined;

  get isOpen(): boolean {
    return this.openRemarks.length > 0;
  }

  /** Whether text belongs to the author or the date of an annotation. */
  get takesText(): boolean {
    return this.field !== undefined;
  }

  /** Whether the element begins a remark. */
  open(name: string, attributes: XmlAttributes): boolean {
    const remark = this.openRemarks.at(-1);
    if (remark?.kind === 'comment') {
      this.field = name === 'dc:creator' ? 'author' : name === 'dc:date' ? 'date' : undefined;
    }
    if (name !== 'text:note' && name !== 'office:annotation') return false;
    const isEndnote = attributes['text:note-class'] === 'endnote';
    const kind = name === 'office:annotation' ? 'comment' : isEndnote ? 'endnote' : 'footnote';
    this.openRemarks.push({ kind, lines: [], author: '', date: '' });
    return true;
  }

  /** Whether the element ended a remark. */
  close(name: string): boolean {
    this.field = undefined;
    if (name !== 'text:note' && name !== 'office:annotation') return false;
    const remark = this.openRemarks.pop();
    const text = remark?.lines.join('\n').trim() ?? '';
    if (remark === undefined || text === '') return true;
    this.count += 1;
    if (remark.kind === 'comment') this.pending.push(commentText({ ...remark, text }));
    else {
      this.numbers[remark.kind] += 1;
      this.pending.push(`${LABELS[remark.kind]} ${this.numbers[remark.kind]}: ${text}`);
    }
    return true;
  }

  /** Text of the author or the date. */
  text(text: string): void {
    const remark = this.openRemarks.at(-1);
    if (remark !== undefined && this.field !== undefined) remark[this.field] += text;
  }

  /** A paragraph of the open remark. */
  line(text: string): void {
    this.openRemarks.at(-1)?.lines.push(text.trim());
  }
}
