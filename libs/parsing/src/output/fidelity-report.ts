import { canonicalCharset } from '../charset/charset-names.js';
import type { CharsetFinding, ParseOptions, ParseWarning } from '../document-parser.port.js';
import type { FormatResult } from '../formats/format-parser.js';
import type { ParseOutput } from './parse-output.js';

/** What is reported of a document besides its text. */
export interface FidelityReport {
  warnings: ParseWarning[];
  fidelity: Record<string, number | string>;
}

/** Below this the encoding is a guess. */
const SURE_OF_CHARSET = 0.5;
/** A page or slide with fewer characters than this has no text to speak of. */
const CHARACTERS_OF_A_PAGE = 20;
/** Documents with images, above this size, of which so little is text that the images are the content. */
const IMAGE_DOCUMENT = { bytes: 100 * 1024, bytesPerCharacter: 2000 };
/** Format parsers count in their own words; the report has one name for a thing. */
const SAME_COUNT: Readonly<Record<string, string>> = { images: 'images_seen', rows: 'table_rows', slides: 'pages' };
const LEFT_OUT = '_left_out';

/**
 * Brings what the format parsers counted under common names and adds what follows from the counts: the warnings that every
 * format shares. A warning that a format parser gave itself is not given again.
 */
export function reportFidelity(
  result: FormatResult,
  output: ParseOutput,
  { sizeBytes, options }: { sizeBytes: number; options: ParseOptions },
): FidelityReport {
  const fidelity = countAll(result, output);
  const own = result.warnings ?? [];
  const warnings = [
    ...own,
    ...charsetWarnings(result.charset, options.charset),
    ...replacementWarning(output),
    ...densityWarning(fidelity, sizeBytes, own),
  ];
  return { warnings, fidelity };
}

function countAll(
  { fidelity = {}, charset, pageCount }: FormatResult,
  output: ParseOutput,
): FidelityReport['fidelity'] {
  const { heading, table, ...others } = output.counts;
  const counted: Record<string, number | string> = {
    characters: output.position,
    ...(pageCount !== undefined && { pages: pageCount }),
    ...(heading !== undefined && { headings: heading }),
    ...(table !== undefined && { tables: table }),
    ...(charset !== undefined && { charset_confidence: charset.confidence }),
    replaced_characters: output.replacedCharacters,
  };
  for (const [kind, count] of Object.entries(others)) counted[`blocks_${kind}`] = count;
  return { ...counted, ...withCommonNames(fidelity) };
}

/** The counts of a format parser under the names that all formats share, and what was left out in words. */
export function withCommonNames(fidelity: Readonly<Record<string, number | string>>): FidelityReport['fidelity'] {
  const named = Object.fromEntries(Object.entries(fidelity).map(([name, value]) => [SAME_COUNT[name] ?? name, value]));
  if (named['images_seen'] !== undefined) named['images_extracted'] ??= 0;
  const skipped = listSkipped(named);
  return skipped === undefined ? named : { ...named, skipped };
}

/** What the parser named, else what it counted as left out. */
function listSkipped(counted: Readonly<Record<string, number | string>>): string | undefined {
  const parts = Object.entries(counted)
    .filter(([name, value]) => name.endsWith(LEFT_OUT) && typeof value === 'number' && value > 0)
    .map(([name, value]) => `${value} ${name.slice(0, -LEFT_OUT.length).replaceAll('_', ' ')}`);
  const named = counted['skipped'];
  const all = typeof named === 'string' && named !== '' ? [named, ...parts] : parts;
  return all.length === 0 ? undefined : all.join('; ');
}

function charsetWarnings(charset: CharsetFinding | undefined, wanted: string | undefined): ParseWarning[] {
  if (charset === undefined) return [];
  if (wanted !== undefined && canonicalCharset(wanted) === undefined) {
    const detail = `The charset ${wanted} is unknown; ${charset.name} was detected and used instead.`;
    return [{ code: 'UNKNOWN_CHARSET', detail }];
  }
  if (charset.confidence >= SURE_OF_CHARSET) return [];
  const detail =
    `The encoding was guessed as ${charset.name} with a confidence of ${charset.confidence}; ` +
    'if the text looks wrong, save the file as UTF-8 or name its charset in the ingestion policy.';
  return [{ code: 'CHARSET_UNCERTAIN', detail }];
}

function replacementWarning({ replacedCharacters: count, position: length }: ParseOutput): ParseWarning[] {
  if (count === 0) return [];
  const share = Number(((count / length) * 100).toPrecision(2));
  const characters = count === 1 ? '1 character is' : `${count} characters are`;
  const detail = `${characters} characters (${share} % of the text) are U+FFFD, in place of bytes that have no meaning in the file's encoding.`;
  return [{ code: 'REPLACED_CHARACTERS', detail }];
}

/** Pages that hold next to nothing, and files that are large for the images in them. */
function densityWarning(
  fidelity: FidelityReport['fidelity'],
  sizeBytes: number,
  own: readonly ParseWarning[],
): ParseWarning[] {
  if (own.some(({ code }) => code === 'LOW_TEXT_DENSITY' || code === 'SCANNED_PAGES')) return [];
  const numberOf = (name: string): number => Number(fidelity[name] ?? 0);
  const [characters, pages, images] = [numberOf('characters'), numberOf('pages'), numberOf('images_seen')];
  if (pages > 0 && characters < pages * CHARACTERS_OF_A_PAGE) {
    const detail = `${pages} pages have ${characters} characters of text; their content may be in images.`;
    return [{ code: 'LOW_TEXT_DENSITY', detail }];
  }
  const isImageDocument = sizeBytes > IMAGE_DOCUMENT.bytes && characters * IMAGE_DOCUMENT.bytesPerCharacter < sizeBytes;
  if (images === 0 || !isImageDocument) return [];
  const detail = `The file has ${images} images and ${characters} characters of text; the content of the images was not read.`;
  return [{ code: 'LOW_TEXT_DENSITY', detail }];
}
