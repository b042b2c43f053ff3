import type { DocumentAnnotation, FormField, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';

/** Kinds of annotations whose words are written by people; links and form widgets are not. */
const COMMENTS: ReadonlySet<string> = new Set([
  'text',
  'freetext',
  'highlight',
  'underline',
  'squiggly',
  'strikeout',
  'stamp',
  'caret',
]);

/** A field that shows none of its letters (PDF 32000-1, table 228). */
const PASSWORD = 1 << 13;
const TOLERANCE = 2;
/** Boxes of one page that words are looked for beside; further ones are said by their names. */
const MOST_BOXES = 1_000;
/** A box is right before its words, or behind them at any distance. */
const MOST_POINTS_BEHIND = 24;

/** Filled form fields and comments of a page as lines; what the page's own text has already is left out. */
export function notesOf(page: ParsedPage): string[] {
  const known = bare(page.text);
  // Where no box is ticked, a form is empty.
  const hasTick = (page.formFields ?? []).some(({ checked }) => checked === true);
  const lines = [
    ...(page.formFields ?? []).map((field, at) => fieldLine(field, at < MOST_BOXES ? page.textItems : [], hasTick)),
    ...(page.annotations ?? []).map(commentLine),
  ];
  const added = lines.filter(
    (line): line is NoteLine => line !== undefined && (line.value === undefined || !known.includes(bare(line.value))),
  );
  return [...new Set(added.map(({ text }) => text))];
}

interface NoteLine {
  text: string;
  /** The part that a person wrote; undefined where the page never says it. */
  value: string | undefined;
}

function fieldLine(field: FormField, items: readonly TextItem[], hasTick: boolean): NoteLine | undefined {
  if ((field.fieldFlags & PASSWORD) !== 0) return undefined;
  if (field.checked !== undefined) return hasTick ? boxLine(field, items) : undefined;
  const isChoice = field.selectedOptions.length > 0;
  const value = oneLine(isChoice ? field.selectedOptions.join(', ') : (field.value ?? ''));
  if (value === '' || /button|signature/i.test(field.type) || value === 'Off') return undefined;
  const name = oneLine(field.alternateName ?? field.name ?? '');
  return { text: name === '' ? value : `${name}: ${value}`, value };
}

/** A box to tick or one of several to choose from, with the words beside it. A choice that was not taken says nothing. */
function boxLine(field: FormField, items: readonly TextItem[]): NoteLine | undefined {
  const isChoice = /radio/i.test(field.type);
  if (isChoice && field.checked !== true) return undefined;
  const beside = field.rect === undefined ? '' : wordsBeside(field.rect, items);
  const said = oneLine(beside === '' ? (field.alternateName ?? field.name ?? '') : beside);
  if (said === '') return undefined;
  return { text: `${field.checked === true ? '[x]' : '[ ]'} ${said}`, value: undefined };
}

/** The text on the line of a box, behind it or else before it. */
function wordsBeside({ x, y, width, height }: Rect, items: readonly TextItem[]): string {
  const middle = y + height / 2;
  const line = items.filter((item) => item.y <= middle && item.y + item.height >= middle && item.text.trim() !== '');
  const behind = line.filter((item) => item.x >= x + width - TOLERANCE && item.x - x - width <= MOST_POINTS_BEHIND);
  const before = line.filter((item) => item.x + item.width <= x + TOLERANCE);
  const [next] = behind.toSorted((one, other) => one.x - other.x);
  const last = before.toSorted((one, other) => one.x + one.width - other.x - other.width).at(-1);
  return (next ?? last)?.text ?? '';
}

function commentLine({ subtype, contents }: DocumentAnnotation): NoteLine | undefined {
  const value = oneLine(contents ?? '');
  return value === '' || !COMMENTS.has(subtype.toLowerCase()) ? undefined : { text: value, value };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Letters and digits alone: line breaks and hyphens of the page do not count. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
