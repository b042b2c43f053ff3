import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { isObject, readJson, scalarText, isScalar, type JsonValue } from '../json/json-value.js';
import { htmlBeginning } from '../html/html-beginning.js';
import { writeHtml } from '../html/html-walker.js';
import type { ParseOutput } from '../output/parse-output.js';
import { writePlainLines } from '../output/plain-lines.js';
import { withoutTerminalMarks } from '../output/terminal-marks.js';
import { writeScanned } from '../output/scanned-text.js';
import { withoutMarkdownComments } from '../scanning/markdown-comments.js';
import { MarkdownWriter } from '../scanning/markdown-writer.js';
import { SourceScanner } from '../scanning/source-scanner.js';
import type { ParseWarning } from '../document-parser.port.js';
import type { FormatParser } from './format-parser.js';
import { MAX_TREE_BYTES, parseJson } from './json.parser.js';

/** Output of a cell beyond this is left out: logs of a training run say little. */
const MAX_OUTPUT_UNITS = 20_000;
/** A longer page of an output is a program that draws a map or a chart. */
const MAX_HTML_UNITS = 1_000_000;

type JsonObject = { [name: string]: JsonValue };

/** Jupyter notebooks: Markdown cells, code cells and the text of their outputs, in order. */
export const parseNotebook: FormatParser = async (input, output) => {
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const pieces: string[] = [];
  if (input.sizeBytes <= MAX_TREE_BYTES) {
    for await (const piece of decodeFile(input.path, charset.name)) pieces.push(piece);
  }
  const notebook = readJson(pieces.join(''));
  if (notebook === undefined || !isObject(notebook) || cellsOf(notebook) === undefined) return parseJson(input, output);
  const writer = new NotebookWriter(output, languageOf(notebook));
  for (const cell of cellsOf(notebook)!) if (isObject(cell)) writer.writeCell(cell);
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    title: writer.title,
    warnings: warningsOf(writer),
    fidelity: { cells: writer.cells, images_seen: writer.images, images_extracted: 0 },
  };
};

function warningsOf({ cutOutputs, longPages }: NotebookWriter): ParseWarning[] {
  const details = [
    cutOutputs > 0 ? `${cutOutputs} outputs of cells were cut after ${MAX_OUTPUT_UNITS} characters.` : '',
    longPages > 0
      ? `${longPages} outputs of cells were left out: their HTML has more than ${MAX_HTML_UNITS} characters.`
      : '',
  ].filter((detail) => detail !== '');
  return details.length === 0 ? [] : [{ code: 'TRUNCATED', detail: details.join(' ') }];
}

class NotebookWriter {
  title: string | undefined;
  cells = 0;
  images = 0;
  /** Outputs of which only the beginning is written. */
  cutOutputs = 0;
  /** Outputs whose HTML is too long, with no other words. */
  longPages = 0;
  private readonly output: ParseOutput;
  private readonly language: string | undefined;

  constructor(output: ParseOutput, language: string | undefined) {
    this.output = output;
    this.language = language;
  }

  writeCell(cell: JsonObject): void {
    this.cells += 1;
    const source = textOf(cell['source'] ?? cell['input']);
    const type = cell['cell_type'];
    if (type === 'markdown' || type === 'heading') {
      const level =
        cell['level'] === undefined ? '' : `${'#'.repeat(Math.min(Number(textOf(cell['level'])) || 1, 6))} `;
      this.writeMarkdown(type === 'heading' ? level + source : source);
    } else if (type === 'code') {
      writeScanned(this.output, source, (emit) => new SourceScanner(emit, this.language));
      for (const result of listOf(cell['outputs'])) if (isObject(result)) this.writeResult(result);
    } else {
      writePlainLines(this.output, linesOf(source));
    }
  }

  private writeMarkdown(source: string): void {
    const body = withoutMarkdownComments(source)
      .replace(/^(?:[ \t]*\r?\n)+/, '')
      .trimEnd();
    if (body === '') return;
    if (this.output.position > 0) this.output.writeText('\n\n');
    const writer = new MarkdownWriter(this.output);
    writer.feed(body);
    writer.finish();
    this.title ??= writer.title;
  }

  private writeResult(result: JsonObject): void {
    const data = result['data'] ?? result;
    if (isObject(data) && Object.keys(data).some((type) => /^image\/|^png$|^jpeg$|^svg$/.test(type))) this.images += 1;
    const plain = result['text'] ?? (isObject(data) ? (data['text/plain'] ?? data['text/markdown']) : undefined);
    const error = result['ename'] === undefined ? '' : `${textOf(result['ename'])}: ${textOf(result['evalue'])}`;
    const html = isObject(data) ? textOf(data['text/html']) : '';
    if (html !== '' && (textOf(plain) === '' || OBJECT.test(textOf(plain)) || TABLE.test(html))) {
      if (html.length <= MAX_HTML_UNITS) {
        this.writeHtml(html);
        return;
      }
      this.longPages += 1;
    }
    const latex = isObject(data) ? textOf(data['text/latex']) : '';
    const text = withoutTerminalMarks(textOf(plain) || latex || error);
    if (text.length > MAX_OUTPUT_UNITS) this.cutOutputs += 1;
    writePlainLines(this.output, linesOf(text.slice(0, MAX_OUTPUT_UNITS)), { kind: 'code' });
  }

  /** A table or a page that is there in place of words. */
  private writeHtml(html: string): void {
    const beginning = htmlBeginning(html, MAX_OUTPUT_UNITS);
    if (beginning.length < html.length) this.cutOutputs += 1;
    writeHtml(beginning, this.output, { keepsAll: true });
  }
}

/** Columns of blanks say less of a table with a header than its own cells. */
const TABLE = /<th[\s>]/i;

/** What Python says of an object that has no words of its own: `<IPython.core.display.HTML object>`. */
const OBJECT = /^<[\w.]+(?: object)?(?: at 0x[\da-f]+)?>\s*$/;

/** Longest name of a programming language. */
const LONGEST_LANGUAGE = 64;

function cellsOf(notebook: JsonObject): JsonValue[] | undefined {
  if (Array.isArray(notebook['cells'])) return notebook['cells'];
  const sheets = listOf(notebook['worksheets']);
  if (sheets.length === 0) return undefined;
  return sheets.flatMap((sheet) => (isObject(sheet) ? listOf(sheet['cells']) : []));
}

function languageOf(notebook: JsonObject): string | undefined {
  const metadata = notebook['metadata'];
  if (metadata === undefined || !isObject(metadata)) return undefined;
  for (const name of ['language_info', 'kernelspec']) {
    const info = metadata[name];
    const language = info !== undefined && isObject(info) ? (info['name'] ?? info['language']) : undefined;
    if (typeof language === 'string') return language.slice(0, LONGEST_LANGUAGE).replace(/\d+$/, '');
  }
  return undefined;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Text that is written as a string or as a list of lines with their ends. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((part) => (isScalar(part) ? scalarText(part) : '')).join('');
  return isScalar(value) ? scalarText(value) : '';
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\r\n]/);
}
