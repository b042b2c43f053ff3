import { FlowWriter } from '../output/flow-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import { reportStruckOut } from '../output/struck-out.js';
import { ParseError } from '../parse-error.js';
import { HiddenSlides } from '../slides/hidden-slides.js';
import { HiddenReport, type HiddenPolicy } from '../sheets/hidden-cells.js';
import type { XmlAttributes, XmlHandler } from '../xml/xml-reader.js';
import type { FormatParser, FormatResult } from './format-parser.js';
import { OdfPackage } from './odf/odf-package.js';
import { OdfSheetReader } from './odf/odf-sheets.js';
import { OdfSlideReader } from './odf/odf-slides.js';
import { OdfStyles } from './odf/odf-styles.js';
import { OdfTextReader } from './odf/odf-text-reader.js';

/** The reader of a kind of document, and what it found. */
interface BodyReader {
  handler: XmlHandler;
  /** Called behind every element that ended. */
  afterClose?: (name: string) => void;
  finish(): FormatResult;
}

/** OpenDocument texts, spreadsheets and presentations: one stream over content.xml; what it holds decides how it is read. */
export const parseOpenDocument: FormatParser = async (input, output) => {
  const parts = await OdfPackage.open(input.path, input.sizeBytes);
  try {
    const styles = new OdfStyles();
    await parts.read('styles.xml', {
      open: (name, attributes) => styles.open(name, attributes),
      close: (name) => styles.close(name),
    });
    const content = new ContentReader(styles, output, input.options.hidden);
    await parts.read('content.xml', content);
    const result = content.finish();
    return { ...result, title: (await parts.title()) ?? result.title };
  } finally {
    parts.close();
  }
};

/** Reads the styles in front of the body, then hands the body to the reader of its kind. */
class ContentReader implements XmlHandler {
  private readonly styles: OdfStyles;
  private readonly output: ParseOutput;
  private body: BodyReader | undefined;
  private isInBody = false;
  private readonly hidden: HiddenPolicy | undefined;

  constructor(styles: OdfStyles, output: ParseOutput, hidden?: HiddenPolicy) {
    this.hidden = hidden;
    this.styles = styles;
    this.output = output;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.isInBody && this.body !== undefined) this.body.handler.open(name, attributes);
    else if (name === 'office:body') this.isInBody = true;
    else if (this.isInBody) this.body = bodyReader(name, this.styles, this.output, this.hidden);
    else this.styles.open(name, attributes);
  }

  close(name: string): void {
    if (name === 'office:body') this.isInBody = false;
    else if (!this.isInBody) this.styles.close(name);
    else {
      this.body?.handler.close?.(name);
      this.body?.afterClose?.(name);
    }
  }

  text(text: string): void {
    if (this.isInBody) this.body?.handler.text?.(text);
  }

  finish(): FormatResult {
    if (this.body !== undefined) return this.body.finish();
    throw new ParseError('MALFORMED', 'The file has no text, sheets or slides; save it again and upload that.');
  }
}

function bodyReader(name: string, styles: OdfStyles, output: ParseOutput, hidden?: HiddenPolicy): BodyReader {
  if (name === 'office:spreadsheet') return sheetReader(styles, output, hidden);
  const flow = new FlowWriter(output);
  return name === 'office:presentation' || name === 'office:drawing'
    ? slideReader(flow, styles, new HiddenSlides(output, hidden))
    : textReader(flow, styles);
}

function textReader(flow: FlowWriter, styles: OdfStyles): BodyReader {
  const reader = new OdfTextReader(flow, styles);
  const writeRemarks = (): void => {
    if (flow.isInTable || reader.isInParagraph) return;
    for (const text of reader.remarks.pending.splice(0)) flow.paragraph({ kind: 'paragraph' }, text);
  };
  return {
    handler: reader,
    afterClose: writeRemarks,
    finish: () => {
      flow.finish();
      writeRemarks();
      const { images, hiddenCharacters, remarks } = reader;
      const struck = reportStruckOut(reader.struckCharacters);
      return {
        title: flow.firstHeading,
        warnings: struck.warnings,
        fidelity: {
          tables: flow.tables,
          rows: flow.rows,
          notes_and_comments: remarks.count,
          images,
          hidden_characters_left_out: hiddenCharacters,
          ...struck.fidelity,
        },
      };
    },
  };
}

function slideReader(flow: FlowWriter, styles: OdfStyles, hidden: HiddenSlides): BodyReader {
  const reader = new OdfSlideReader(flow, styles, hidden);
  return {
    handler: reader,
    finish: () => {
      flow.finish();
      const { slides, images, notes, remarks } = reader;
      return {
        pageCount: slides,
        title: flow.firstHeading,
        warnings: hidden.warnings(),
        fidelity: {
          slides,
          tables: flow.tables,
          rows: flow.rows,
          hidden_slides: hidden.count,
          images,
          notes_and_comments: notes + remarks.count,
        },
      };
    },
  };
}

function sheetReader(styles: OdfStyles, output: ParseOutput, hidden?: HiddenPolicy): BodyReader {
  const reader = new OdfSheetReader(output, styles, new HiddenReport(hidden));
  return {
    handler: reader,
    finish: () => {
      const { repeated_rows_left_out: leftOut, ...counts } = reader.counts;
      const struck = reportStruckOut(reader.struckCharacters);
      const detail = `${leftOut} repetitions of filled rows were left out.`;
      return {
        warnings: [
          ...reader.hidden.warnings(),
          ...struck.warnings,
          ...(leftOut === 0 ? [] : [{ code: 'TRUNCATED', detail }]),
        ],
        fidelity: {
          ...counts,
          ...reader.hidden.counts,
          ...struck.fidelity,
          notes_and_comments: reader.remarks.count,
          repeated_rows_left_out: leftOut,
        },
      };
    },
  };
}
