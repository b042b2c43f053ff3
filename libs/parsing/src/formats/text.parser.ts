import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { DividedLines } from '../hyphens/divided-lines.js';
import type { ParseOutput } from '../output/parse-output.js';
import { TerminalMarks } from '../output/terminal-marks.js';
import type { BlockScanner, EmitBlock } from '../scanning/block-scanner.js';
import { PlainTextWriter } from '../scanning/plain-text-writer.js';
import type { FormatInput, FormatParser, FormatResult } from './format-parser.js';

/** A parser for formats whose canonical text is the decoded file itself; memory does not depend on the file's length. */
export function createTextParser(createScanner: (emit: EmitBlock) => BlockScanner): FormatParser {
  return (input, output) =>
    parseText(
      input,
      output,
      createScanner((block) => output.writeBlock(block)),
    );
}

async function parseText(input: FormatInput, output: ParseOutput, scanner: BlockScanner): Promise<FormatResult> {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  for await (const piece of decodeFile(input.path, charset.name)) {
    output.writeText(piece);
    scanner.feed(piece);
  }
  scanner.finish();
  return { charset: { ...charset, replacedCharacters: output.replacedCharacters }, title: scanner.title };
}

/** Plain text, with words whole that its lines end within, its drawn tables as rows, and without the colours of a terminal. */
export const parsePlainText: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const writer = new PlainTextWriter(output);
  const lines = new DividedLines();
  const marks = new TerminalMarks();
  for await (const piece of decodeFile(input.path, charset.name)) writer.feed(lines.feed(marks.feed(piece)));
  writer.feed(lines.feed(marks.finish()));
  writer.feed(lines.finish());
  writer.finish();
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    ...(writer.tables > 0 && { fidelity: { tables: writer.tables, table_rows: writer.rows } }),
  };
};
