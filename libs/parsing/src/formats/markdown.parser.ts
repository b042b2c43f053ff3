import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { MarkdownComments } from '../scanning/markdown-comments.js';
import { MarkdownScanner } from '../scanning/markdown-scanner.js';
import type { FormatParser } from './format-parser.js';

/** Markdown: the canonical text is the source without its comments, the blocks say what its lines mean. */
export const parseMarkdown: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const comments = new MarkdownComments();
  const scanner = new MarkdownScanner((block) => output.writeBlock(block));
  const take = (text: string): void => {
    if (text === '') return;
    output.writeText(text);
    scanner.feed(text);
  };
  for await (const piece of decodeFile(input.path, charset.name)) take(comments.feed(piece));
  take(comments.finish());
  scanner.finish();
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    title: scanner.title,
    fidelity: { comments_left_out: comments.count },
  };
};
