import { readFileChunks, readHead } from '../charset/file-chunks.js';
import { FlowWriter } from '../output/flow-writer.js';
import { reportStruckOut } from '../output/struck-out.js';
import { ParseError } from '../parse-error.js';
import type { FormatParser } from './format-parser.js';
import { RtfReader } from './rtf/rtf-reader.js';
import { RtfTokenizer } from './rtf/rtf-tokenizer.js';

/** RTF as a stream: paragraphs, headings, lists, tables, notes and comments, in the code pages of the file and its fonts. */
export const parseRtf: FormatParser = async (input, output) => {
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*\{\\rtf/.test(readHead(input.path, 64).toString('latin1'))) {
    throw new ParseError('MALFORMED', 'The file does not begin like RTF; save it again in a word processor.');
  }
  const flow = new FlowWriter(output);
  const reader = new RtfReader(flow);
  const tokenizer = new RtfTokenizer(reader);
  for await (const piece of readFileChunks(input.path)) tokenizer.feed(piece);
  tokenizer.finish();
  const isCut = reader.openGroups > 0;
  reader.finish();
  flow.finish();
  const struck = reportStruckOut(reader.struckCharacters);
  const detail = 'The file ends in the middle of the document; the part before its end was read.';
  return {
    title: reader.title.trim().slice(0, 500) || flow.firstHeading,
    warnings: [...(isCut ? [{ code: 'TRUNCATED', detail }] : []), ...struck.warnings],
    fidelity: {
      tables: flow.tables,
      rows: flow.rows,
      notes_and_comments: reader.notes,
      images: reader.images,
      hidden_characters_left_out: reader.hiddenCharacters,
      ...struck.fidelity,
    },
  };
};
