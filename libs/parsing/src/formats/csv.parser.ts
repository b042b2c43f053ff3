import { Readable } from 'node:stream';
import { CsvError, parse, type Info, type Options } from 'csv-parse';
import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import type { ParseWarning } from '../document-parser.port.js';
import { DelimitedRows } from '../tabular/delimited-rows.js';
import { sniffDialect, type Dialect } from '../tabular/sniff-dialect.js';
import { ParseError } from '../parse-error.js';
import type { FormatParser } from './format-parser.js';

const SAMPLE_UNITS = 64 * 1024;
/** A longer record is taken for a quote that was never closed. */
const MAX_RECORD_BYTES = 1024 * 1024;
/** A line of a file that is no table at all. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** This many broken records are read one by one; after that quotes have no meaning in this file. */
const MAX_REPAIRS = 20;

/** CSV and its relatives, streamed: one line of canonical text per record, the header first. */
export const parseDelimited: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const preferred = /\.(?:tsv|tab)$/i.test(input.fileName) ? '\t' : undefined;
  const dialect = sniffDialect(await readSample(input.path, charset.name), preferred);
  const reader = new RecordReader(input.path, charset.name, dialect);
  const rows = new DelimitedRows(output);
  const warnings: ParseWarning[] = [];
  const broken = await readAll(reader, rows);
  if (broken.length > 0) {
    const detail = `In row ${broken.join(', ')} a quote is opened and never closed; quotes were read there as ordinary characters.`;
    warnings.push({ code: 'MALFORMED_CSV', detail });
  }
  rows.end();
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    warnings,
    fidelity: { tables: rows.tables, table_rows: rows.count, columns: rows.columns },
  };
};

/** Reads all records; a record whose quote is not closed is read again as it is. Answers the rows of such records. */
async function readAll(reader: RecordReader, rows: DelimitedRows): Promise<number[]> {
  const broken: number[] = [];
  let at: number | undefined = 0;
  for (;;) {
    at = await reader.read(at, { quote: '"' }, rows);
    if (at === undefined) return broken;
    broken.push(rows.count + 1);
    at = await reader.read(at, { quote: null, onlyOne: broken.length < MAX_REPAIRS }, rows);
    if (at === undefined) return broken;
  }
}

/** Whether quotes have a meaning, and whether to stop behind the first record. */
interface Quoting {
  quote: '"' | null;
  onlyOne?: boolean;
}

class RecordReader {
  private readonly path: string;
  private readonly charset: string;
  private readonly dialect: Dialect;

  constructor(path: string, charset: string, dialect: Dialect) {
    this.path = path;
    this.charset = charset;
    this.dialect = dialect;
  }

  /**
   * Reads records from a byte of the text (as UTF-8) on. Answers undefined at the end of the text, else where it stopped:
   * behind the one record asked for, or before a record with a quote that is not closed.
   */
  async read(from: number, how: Quoting, rows: DelimitedRows): Promise<number | undefined> {
    const parser = parse(this.options(how));
    const source = Readable.from(this.bytesFrom(from));
    source.on('error', (error) => parser.destroy(error));
    source.pipe(parser);
    let good = from;
    let emptyLines = 0;
    try {
      for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
        good = from + info.bytes;
        rows.write(record, info.empty_lines > emptyLines);
        emptyLines = info.empty_lines;
        if (how.onlyOne === true) return good;
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      if (how.quote !== null) return good;
      throw new ParseError('MALFORMED', 'The file has a row of more than 32 MiB, so it is not a table of values.', {
        cause: error,
      });
    } finally {
      source.destroy();
    }
  }

  private options({ quote }: Quoting): Options {
    return {
      delimiter: this.dialect.delimiter,
      escape: this.dialect.escape,
      quote,
      info: true,
      max_record_size: quote === null ? MAX_LINE_BYTES : MAX_RECORD_BYTES,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    };
  }

  private async *bytesFrom(start: number): AsyncGenerator<Buffer> {
    let skipUnits = this.dialect.skip;
    let skipBytes = start;
    for await (const piece of decodeFile(this.path, this.charset)) {
      const text = skipUnits > 0 ? piece.slice(skipUnits) : piece;
      skipUnits -= piece.length - text.length;
      const bytes = Buffer.from(text);
      const rest = bytes.subarray(Math.min(skipBytes, bytes.length));
      skipBytes -= bytes.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  }
}

async function readSample(path: string, charset: string): Promise<string> {
  let sample = '';
  for await (const piece of decodeFile(path, charset)) {
    sample += piece;
    if (sample.length >= SAMPLE_UNITS) break;
  }
  return sample.slice(0, SAMPLE_UNITS);
}
