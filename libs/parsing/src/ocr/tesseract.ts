import { findProgram, runProgram } from '../programs/run-program.js';
import { readTsv, type RecognisedParagraph } from './read-tsv.js';

const LIST_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** More languages make every page slower and no page better. */
const MAX_LANGUAGES = 6;
/** Models that are no languages. */
const NO_LANGUAGES: ReadonlySet<string> = new Set(['osd', 'equ', 'snum']);

/** An installed Tesseract with the languages that it has. */
export class Tesseract {
  private readonly path: string;
  private readonly languages: readonly string[];

  private constructor(path: string, languages: readonly string[]) {
    this.path = path;
    this.languages = languages;
  }

  /** Undefined where Tesseract, or every language of it, is missing. */
  static async find(path = findProgram('tesseract')): Promise<Tesseract | undefined> {
    if (path === undefined) return undefined;
    const { exitCode, output } = await runProgram(path, ['--list-langs'], {
      timeoutMs: LIST_TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    const names = output
      .toString('utf8')
      .split(/\r?\n/)
      .filter((line) => /^[a-z][\w/-]*$/i.test(line) && !NO_LANGUAGES.has(line));
    // English first: it is the one that the others are mixed with.
    const languages = names.toSorted((a, b) => Number(b === 'eng') - Number(a === 'eng') || a.localeCompare(b));
    return exitCode === 0 && languages.length > 0 ? new Tesseract(path, languages.slice(0, MAX_LANGUAGES)) : undefined;
  }

  /** Paragraphs of a picture in reading order, boxes in pixels; undefined when it took too long or failed. */
  async read(picture: Uint8Array, dpi: number, timeoutMs: number): Promise<RecognisedParagraph[] | undefined> {
    const args = ['stdin', 'stdout', '-l', this.languages.join('+'), '--dpi', String(dpi), '--psm', '3'];
    const { exitCode, output } = await runProgram(this.path, [...args, '-c', 'tessedit_create_tsv=1'], {
      input: picture,
      env: { OMP_THREAD_LIMIT: '1' },
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    return exitCode === 0 ? readTsv(output.toString('utf8')) : undefined;
  }
}
