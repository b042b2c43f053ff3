import type { ParsedDocument } from './document-parser.port.js';
import { unusableResult, isCount } from './trusted-blocks.js';

type Report = Pick<
  ParsedDocument,
  'charset' | 'fidelity' | 'mediaType' | 'pageCount' | 'textLength' | 'title' | 'unseen' | 'warnings'
>;

const MOST_WARNINGS = 1_000;
const MOST_COUNTS = 1_000;
const MOST_UNSEEN = 1_000;
const MOST_NAME = 200;
const MOST_TITLE = 10_000;
const MOST_DETAIL = 10_000;
const LOOKS: ReadonlySet<unknown> = new Set(['unseen_colour', 'unseen_size', 'unseen_style']);
const REPLACEMENT = '\uFFFD';

/**
 * What a parser reports beside the text, as it is kept: broken characters become U+FFFD. A parser is not trusted, since it may be that of
 * a package or misled by its file. @throws `PARSER_CRASHED` for facts of another shape, and for more of them than any file has
 */
export function trustedReport<R extends Report>(report: R): R {
  const { charset, fidelity, mediaType, pageCount, textLength, title, unseen, warnings } = report;
  const isRight =
    isText(mediaType, MOST_NAME) &&
    isCount(textLength) &&
    (pageCount === undefined || isCount(pageCount)) &&
    (title === undefined || typeof title === 'string') &&
    (charset === undefined || isCharset(charset)) &&
    isListOf(warnings, MOST_WARNINGS, isWarning) &&
    (unseen === undefined || isListOf(unseen, MOST_UNSEEN, (one) => isUnseen(one, textLength))) &&
    isCounted(fidelity);
  if (!isRight) throw unusableResult();
  return {
    ...report,
    ...(title !== undefined && { title: clean(title.slice(0, MOST_TITLE)) }),
    warnings: warnings.map(({ code, detail }) => ({ code, detail: clean(detail) })),
    fidelity: Object.fromEntries(
      Object.entries(fidelity).map(([name, value]) => [
        clean(name),
        typeof value === 'number' ? value : clean(value.slice(0, MOST_DETAIL)),
      ]),
    ),
  };
}

function isWarning(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { code, detail } = value;
  return isText(code, MOST_NAME) && /^[A-Z][A-Z0-9_]*$/.test(code) && isText(detail, MOST_DETAIL);
}

function isUnseen(value: unknown, textLength: number): boolean {
  if (!isObject(value)) return false;
  const { start, end, look, page } = value;
  const isStretch = isCount(start) && isCount(end) && start <= end && end <= textLength;
  return isStretch && LOOKS.has(look) && (page === undefined || isCount(page));
}

function isCharset(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, confidence, replacedCharacters } = value;
  return isText(name, MOST_NAME) && Number.isFinite(confidence) && isCount(replacedCharacters);
}

function isCounted(value: unknown): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  if (entries.length > MOST_COUNTS) return false;
  return entries.every(
    ([name, count]) => name.length <= MOST_NAME && (typeof count === 'string' || Number.isFinite(count)),
  );
}

function isListOf(value: unknown, most: number, isOne: (value: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= most && value.every(isOne);
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function clean(text: string): string {
  return text.replaceAll('\0', REPLACEMENT).toWellFormed();
}
