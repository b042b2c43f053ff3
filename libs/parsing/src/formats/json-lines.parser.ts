import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { ValueStreamWriter } from '../json/value-stream-writer.js';
import { LineSplitter } from '../scanning/line-splitter.js';
import type { FormatParser } from './format-parser.js';

/** A longer line is read as plain text. */
const MAX_LINE_UNITS = 16 * 1024 * 1024;

/** JSON Lines, streamed: flat records become tables, others paragraphs; a line that is no JSON stays as it is. */
export const parseJsonLines: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const writer = new ValueStreamWriter(output, 'line');
  let line: string[] = [];
  let units = 0;
  const take = (): void => {
    writer.write(line.join(''));
    line = [];
    units = 0;
  };
  const splitter = new LineSplitter(({ text, beginsLine }) => {
    if ((beginsLine || units > MAX_LINE_UNITS) && line.length > 0) take();
    line.push(text);
    units += text.length;
  });
  for await (const piece of decodeFile(input.path, charset.name)) splitter.feed(piece);
  splitter.finish();
  take();
  return { charset: { ...charset, replacedCharacters: output.replacedCharacters }, ...writer.finish() };
};
