import type { EdgeTexts } from '../../output/edge-texts.js';
import { FlowWriter } from '../../output/flow-writer.js';
import type { ParseOutput } from '../../output/parse-output.js';
import { reportStruckOut } from '../../output/struck-out.js';
import { HiddenReport, type HiddenPolicy } from '../../sheets/hidden-cells.js';
import { HiddenSlides } from '../../slides/hidden-slides.js';
import type { XmlHandler } from '../../xml/xml-reader.js';
import type { FormatResult } from '../format-parser.js';
import type { Drawing } from '../ooxml/drawings.js';
import { OdfSheetReader } from './odf-sheets.js';
import { OdfSlideReader } from './odf-slides.js';
import type { OdfMargins } from './odf-margins.js';
import type { OdfStyles } from './odf-styles.js';
import { OdfTextReader } from './odf-text-reader.js';

/** The reader of a kind of document, and what it found. */
export interface BodyReader {
  /** `draw`: a chart is in the place that was reached. */
  readonly handler: Required<XmlHandler> & { draw(drawing: Drawing): void };
  /** Called behind every element that ended. */
  afterClose?: (name: string) => void;
  finish(): FormatResult;
}

/** What is known before the body of a document begins. */
export interface BeforeBody {
  readonly styles: OdfStyles;
  readonly margins: OdfMargins;
}

/** The reader of the body that an element is. */
export function bodyReader(
  name: string,
  { styles, margins }: BeforeBody,
  output: ParseOutput,
  hidden?: HiddenPolicy,
): BodyReader {
  if (name === 'office:spreadsheet') return sheetReader(styles, output, hidden);
  const flow = new FlowWriter(output);
  return name === 'office:presentation' || name === 'office:drawing'
    ? slideReader(flow, styles, new HiddenSlides(output, hidden))
    : textReader(flow, styles, margins.texts);
}

function textReader(flow: FlowWriter, styles: OdfStyles, { headers, footers }: EdgeTexts): BodyReader {
  for (const text of headers) flow.paragraph({ kind: 'paragraph' }, text);
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
      for (const text of footers) flow.paragraph({ kind: 'paragraph' }, text);
      flow.finish();
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
