import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { reportStruckOut } from '../output/struck-out.js';
import { MarkdownWriter } from '../scanning/markdown-writer.js';
import type { FormatParser } from './format-parser.js';

/** Markdown: the canonical text is the source without its comments and with each table as rows, the blocks say what its lines mean. */
export const parseMarkdown: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const writer = new MarkdownWriter(output);
  for await (const piece of decodeFile(input.path, charset.name)) writer.feed(piece);
  writer.finish();
  const struck = reportStruckOut(writer.struckCharacters);
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    title: writer.title,
    warnings: struck.warnings,
    fidelity: {
      ...struck.fidelity,
      comments_left_out: writer.commentsLeftOut,
      ...(writer.elementsLeftOut > 0 && { hidden_elements_left_out: writer.elementsLeftOut }),
    },
  };
};
