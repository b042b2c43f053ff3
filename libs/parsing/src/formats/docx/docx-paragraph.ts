import type { RunText } from './run-text.js';

/** What is in a paragraph besides its text; `part`: a file that was inserted between paragraphs. */
export type Anchor = { kind: 'footnote' | 'endnote' | 'comment' | 'drawing' | 'part'; id: string };

/** An open paragraph with what its properties say. */
export interface Paragraph {
  run: RunText;
  style?: string;
  numId?: string;
  listLevel?: number;
  outlineLevel?: number;
  /** Its mark was deleted or moved away by a tracked change: what follows goes on in the same paragraph. */
  isMarkDeleted?: boolean;
  /** Paragraphs before it whose marks were deleted. */
  carried?: Carried;
  anchors: Anchor[];
  /** Alternative texts of what is drawn in it. */
  descriptions: string[];
}

/** Paragraphs without marks, which wait for the one that they are part of. */
export interface Carried {
  text: string;
  anchors: Anchor[];
  descriptions: string[];
  /** Whose shape counts: the last one with text. */
  last: Paragraph | undefined;
}
