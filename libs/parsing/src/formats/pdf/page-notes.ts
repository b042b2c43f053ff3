import type { DocumentAnnotation, FormField, ParsedPage } from '@llamaindex/liteparse';

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

/** Filled form fields and comments of a page as lines; what the page's own text has already is left out. */
export function notesOf(page: ParsedPage): string[] {
  const known = bare(page.text);
  const lines = [...(page.formFields ?? []).map(fieldLine), ...(page.annotations ?? []).map(commentLine)];
  const added = lines.filter((line): line is NoteLine => line !== undefined && !known.includes(bare(line.value)));
  return [...new Set(added.map(({ text }) => text))];
}

interface NoteLine {
  text: string;
  /** The part that a person wrote. */
  value: string;
}

function fieldLine(field: FormField): NoteLine | undefined {
  const isChoice = field.selectedOptions.length > 0;
  const value = oneLine(isChoice ? field.selectedOptions.join(', ') : (field.value ?? ''));
  if (value === '' || /button|signature/i.test(field.type) || value === 'Off') return undefined;
  const name = oneLine(field.alternateName ?? field.name ?? '');
  return { text: name === '' ? value : `${name}: ${value}`, value };
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
