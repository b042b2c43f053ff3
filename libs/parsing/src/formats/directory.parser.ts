import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { ComponentReader } from '../content-lines/component-reader.js';
import { ContentLines } from '../content-lines/content-line.js';
import { joinCutCharacters } from '../content-lines/whole-characters.js';
import { LineSplitter } from '../scanning/line-splitter.js';
import type { ParseOutput } from '../output/parse-output.js';
import { RecordTable } from '../tabular/record-table.js';
import type { FormatInput, FormatParser, FormatResult } from './format-parser.js';
import { parsePlainText } from './text.parser.js';

/** Calendars (iCalendar) and contacts (vCard): a record for each event, task or person; those that follow each other are a table. A file without any is plain text. */
export const parseDirectory: FormatParser = async (input, output) => {
  const copy = join(input.workDirectory, `whole-${randomUUID()}`);
  try {
    return await readRecords(input, output, (await joinCutCharacters(input.path, copy)) ? copy : input.path);
  } finally {
    rmSync(copy, { force: true });
  }
};

async function readRecords(input: FormatInput, output: ParseOutput, path: string): Promise<FormatResult> {
  const charset = await detectCharset(path, { explicit: input.options.charset });
  const table = new RecordTable(output);
  let lastKind: string | undefined;
  const reader = new ComponentReader((record, kind) => {
    if (kind !== lastKind) table.end();
    lastKind = kind;
    table.add(record);
  });
  const lines = new ContentLines((line) => reader.take(line));
  const splitter = new LineSplitter(({ text, beginsLine }) => lines.takeLine(text, beginsLine));
  for await (const piece of decodeFile(path, charset.name)) splitter.feed(piece);
  splitter.finish();
  lines.finish();
  reader.finish();
  table.end();
  if (reader.records === 0) return parsePlainText(input, output);
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    fidelity: { records: reader.records, tables: table.tables, table_rows: table.rows },
  };
}
