import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import type { ParseOutput } from '../output/parse-output.js';
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

/** Plain text. */
export const parsePlainText: FormatParser = createTextParser((emit) => new ParagraphScanner(emit));
