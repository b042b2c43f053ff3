import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { BlockWriter } from '../html/block-writer.js';
import { LineSplitter } from '../scanning/line-splitter.js';
import type { ParseOutput } from '../output/parse-output.js';
import { ScriptLines } from '../transcript/script-lines.js';
import { TranscriptReader } from '../transcript/transcript-reader.js';
import type { FormatInput, FormatParser, FormatResult } from './format-parser.js';
import { parsePlainText } from './text.parser.js';

/** WebVTT and SubRip: what is said, turn by turn, each with its time and who says it. A file without any cue is plain text. */
export const parseTranscript: FormatParser = (input, output) => readTranscript(input, output);

/** Scripts of subtitles (`.ass`, `.ssa`), in the same way. */
export const parseSubtitleScript: FormatParser = (input, output) => readTranscript(input, output, new ScriptLines());

async function readTranscript(input: FormatInput, output: ParseOutput, script?: ScriptLines): Promise<FormatResult> {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const writer = new BlockWriter(output);
  let turns = 0;
  const reader = new TranscriptReader(({ time, speaker, text }) => {
    turns += 1;
    writer.begin({ kind: 'paragraph' });
    writer.text(`${time} ${speaker === undefined ? '' : `${speaker}: `}${text}`);
    writer.end();
  });
  const lines = new LineSplitter((line) => {
    if (script === undefined) reader.takeLine(line);
    else for (const text of script.cueOf(line.text)) reader.takeLine({ text, beginsLine: true });
  });
  for await (const piece of decodeFile(input.path, charset.name)) lines.feed(piece);
  lines.finish();
  reader.finish();
  if (turns === 0) return parsePlainText(input, output);
  const fidelity = { cues: reader.cues, turns };
  return { charset: { ...charset, replacedCharacters: output.replacedCharacters }, fidelity };
}
