import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { ComponentReader } from '../content-lines/component-reader.js';
import { ContentLines } from '../content-lines/content-line.js';
import { LineSplitter } from '../scanning/line-splitter.js';
import { RecordTable } from '../tabular/record-table.js';
import type { FormatParser } from './format-parser.js';
import { parsePlainText } from './text.parser.js';

/** Calendars (iCalendar) and contacts (vCard): a record for each event, task or person; those that follow each other are a table. A file without any is plain text. */
export const parseDirectory: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const table = new RecordTable(output);
  let lastKind: string | undefined;
  const reader = new ComponentReader((record, kind) => {
    if (kind !== lastKind) table.end();
    lastKind = kind;
    table.add(record);
  });
  const lines = new ContentLines((line) => reader.take(line));
  const splitter = new LineSplitter(({ text, beginsLine }) => lines.takeLine(text, beginsLine));
  for await (const piece of decodeFile(input.path, charset.name)) splitter.feed(piece);
  splitter.finish();
  lines.finish();
  reader.finish();
  table.end();
  if (reader.records === 0) return parsePlainText(input, output);
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    fidelity: { records: reader.records, tables: table.tables, table_rows: table.rows },
  };
};
