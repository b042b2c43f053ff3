import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ParseError, type FormatParser } from 'knowledge-base-service/extension';

type Output = Parameters<FormatParser>[1];

const LONGEST_TITLE = 200;

/** Reads a `.note` file line by line: the mark, the title as a heading, then paragraphs that empty lines part. */
const parseNote: FormatParser = async ({ path }, output) => {
  const file = createReadStream(path, 'utf8');
  const lines = createInterface({ input: file, crlfDelay: Infinity });
  const body = new Paragraphs(output);
  let title: string | undefined;
  let read = 0;
  try {
    for await (const line of lines) {
      read += 1;
      if (line.includes('\u{FFFD}')) {
        throw new ParseError('MALFORMED', `Line ${read} is not written in UTF-8. Save the note as UTF-8 and upload it again.`);
      }
      if (read === 1) checkMark(line);
      else if (read === 2) title = writeTitle(line.trim(), output);
      else body.add(line.trimEnd());
    }
  } finally {
    lines.close();
    file.destroy();
  }
  if (title === undefined) throw new ParseError('MALFORMED', 'The note ends before its title. Write the title in the second line.');
  body.end();
  return { title, warnings: [], fidelity: { headings: 1 } };
};

export default parseNote;

function checkMark(line: string): void {
  if (line.replace(/^\u{FEFF}/u, '').trim() !== 'NOTE') {
    throw new ParseError('MALFORMED', 'The first line of a note must be NOTE and nothing else. Correct it and upload the file again.');
  }
}

function writeTitle(title: string, output: Output): string {
  if (title === '' || title.length > LONGEST_TITLE) {
    throw new ParseError('MALFORMED', `The second line of a note is its title, 1 to ${LONGEST_TITLE} characters. Correct it and upload the file again.`);
  }
  const start = output.position;
  output.writeText(title);
  output.writeBlock({ kind: 'heading', level: 1, start, end: output.position });
  output.writeText('\n');
  return title;
}

/** Writes paragraphs as their lines come. */
class Paragraphs {
  private start: number | undefined;

  constructor(private readonly output: Output) {}

  add(line: string): void {
    if (line === '') {
      this.end();
      return;
    }
    if (this.start === undefined) {
      this.output.writeText('\n');
      this.start = this.output.position;
    } else this.output.writeText('\n');
    this.output.writeText(line);
  }

  end(): void {
    if (this.start === undefined) return;
    this.output.writeBlock({ kind: 'paragraph', start: this.start, end: this.output.position });
    this.output.writeText('\n');
    this.start = undefined;
  }
}
