import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { DividedLines } from '../hyphens/divided-lines.js';
import type { ParseOutput } from '../output/parse-output.js';
import { TerminalMarks } from '../output/terminal-marks.js';
import type { BlockScanner, EmitBlock } from '../scanning/block-scanner.js';
import { ParagraphScanner } from '../scanning/paragraph-scanner.js';
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

/** Plain text, with words whole that its lines end within, and without the colours of a terminal. */
export const parsePlainText: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const scanner = new ParagraphScanner((block) => output.writeBlock(block));
  const lines = new DividedLines();
  const marks = new TerminalMarks();
  const take = (text: string): void => {
    output.writeText(text);
    scanner.feed(text);
  };
  for await (const piece of decodeFile(input.path, charset.name)) take(lines.feed(marks.feed(piece)));
  take(lines.feed(marks.finish()));
  take(lines.finish());
  scanner.finish();
  return { charset: { ...charset, replacedCharacters: output.replacedCharacters } };
};
