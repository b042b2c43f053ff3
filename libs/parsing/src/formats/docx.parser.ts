import { FlowWriter } from '../output/flow-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import { reportStruckOut } from '../output/struck-out.js';
import { readMargins } from './docx/docx-margins.js';
import { DocxNotes } from './docx/docx-notes.js';
import { DocxNumbering } from './docx/docx-numbering.js';
import type { Anchor } from './docx/docx-paragraph.js';
import { DocxReader } from './docx/docx-reader.js';
import { DocxStyles } from './docx/docx-styles.js';
import { InsertedParts } from './docx/inserted-parts.js';
import type { FormatInput, FormatParser, FormatResult } from './format-parser.js';
import { readDrawings, writeDrawing, type Drawing } from './ooxml/drawings.js';
import { OoxmlPackage } from './ooxml/ooxml-package.js';

/**
 * DOCX and its variants with macros or for templates: text of the body as a stream, with automatic numbers, notes and
 * comments behind the paragraph they belong to, values of charts, inserted files in their place. Headers stand once
 * before the body and footers behind it, without numbers of pages. Deleted and hidden text stays out.
 */
export const parseDocx: FormatParser = async (input, output) => {
  const parts = await OoxmlPackage.open(input.path, input.sizeBytes);
  try {
    return await readDocument(parts, input, output);
  } finally {
    parts.close();
  }
};

async function readDocument(parts: OoxmlPackage, input: FormatInput, output: ParseOutput): Promise<FormatResult> {
  const main = await parts.mainPart('word/document.xml');
  const relations = await parts.relations(main);
  const partOf = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type)?.target;
  const styles = await DocxStyles.read(parts, partOf('styles'));
  const numbering = new DocxNumbering(styles);
  await numbering.read(parts, partOf('numbering'));
  const notes = new DocxNotes(styles);
  for (const type of ['footnotes', 'endnotes', 'comments']) await notes.read(parts, partOf(type));
  const margins = await readMargins(parts, relations, styles);
  const inserted = await InsertedParts.read(parts, relations, input);
  const body = new Body(new FlowWriter(output), notes, await readDrawings(parts, relations), inserted);
  const noteCount = notes.size;
  for (const text of margins.texts.headers) body.flow.paragraph({ kind: 'paragraph' }, text);
  const noteUnseen = output.noteUnseen.bind(output);
  const reader = new DocxReader(body.flow, styles, numbering, (anchors) => body.anchor(anchors), noteUnseen);
  await parts.read(main, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => {
      reader.close(name);
      if (name === 'w:p' || name === 'w:tbl') body.writeAnchored();
    },
    text: (text) => reader.text(text),
  });
  body.finish();
  for (const text of margins.texts.footers) body.flow.paragraph({ kind: 'paragraph' }, text);
  body.flow.finish();
  const struck = reportStruckOut(reader.struckCharacters);
  return {
    title: (await parts.title()) ?? body.flow.firstHeading,
    warnings: [...inserted.warnings, ...struck.warnings],
    fidelity: {
      tables: body.flow.tables + inserted.counts.tables,
      rows: body.flow.rows + inserted.counts.rows,
      notes_and_comments: noteCount,
      images: reader.images + inserted.counts.images,
      hidden_characters_left_out: reader.hiddenCharacters,
      ...struck.fidelity,
      headers_and_footers_left_out: Math.max(
        parts.count((name) => /^word\/(?:header|footer)\d*\.xml$/.test(name)) - margins.parts,
        0,
      ),
      embedded_files_left_out: parts.count((name) => /^word\/embeddings\/[^/]+$/.test(name)),
    },
  };
}

/** Writes notes and drawings behind the paragraph or the table that refers to them. */
class Body {
  readonly flow: FlowWriter;
  private readonly notes: DocxNotes;
  private readonly drawings: Map<string, Drawing>;
  private readonly inserted: InsertedParts;
  private anchors: Anchor[] = [];

  constructor(flow: FlowWriter, notes: DocxNotes, drawings: Map<string, Drawing>, inserted: InsertedParts) {
    this.inserted = inserted;
    this.flow = flow;
    this.notes = notes;
    this.drawings = drawings;
  }

  anchor(anchors: readonly Anchor[]): void {
    for (const anchor of anchors) {
      if (anchor.kind === 'part') this.insert(anchor.id);
      else this.anchors.push(anchor);
    }
  }

  writeAnchored(): void {
    if (this.anchors.length === 0 || this.flow.isInTable) return;
    for (const { kind, id } of this.anchors.splice(0)) {
      if (kind === 'drawing') this.writeDrawing(id);
      else if (kind !== 'part') this.flow.paragraph({ kind: 'paragraph' }, this.notes.take(kind, id) ?? '');
    }
  }

  finish(): void {
    this.flow.finish();
    this.writeAnchored();
    for (const text of this.notes.rest()) this.flow.paragraph({ kind: 'paragraph' }, text);
    this.flow.finish();
  }

  private insert(id: string): void {
    const part = this.inserted.take(id);
    if (part !== undefined) this.flow.insert(part);
  }

  private writeDrawing(id: string): void {
    const drawing = this.drawings.get(id);
    this.drawings.delete(id);
    if (drawing !== undefined) writeDrawing(this.flow, drawing);
  }
}
