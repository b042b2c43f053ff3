import type { JsonValue } from '#libs/common';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import type { SuggestedField } from './precheck.dto.js';
import type { FileReport, FileTraits } from './file-report.js';

const TABULAR = /csv|tab-separated|spreadsheet|excel/u;
const SHORT_TOKENS = 256;
const SHORT_OVERLAP = 32;

/** A policy for files like these: each suggested field with its reason, and the whole policy. */
export function suggestPolicy(reports: readonly FileReport[]): { policy: IngestionPolicy; fields: SuggestedField[] } {
  const traits = reports.flatMap((report) => (report.traits === null ? [] : [report.traits]));
  const fields = [...parsingFields(traits), strategyField(traits), ...sizeFields(reports)];
  const of = (section: string): Record<string, JsonValue> =>
    Object.fromEntries(
      fields.flatMap(({ pointer, value }) =>
        pointer.startsWith(`/${section}/`) ? [[pointer.slice(section.length + 2), value]] : [],
      ),
    );
  const { parsing, chunking } = DEFAULT_POLICY;
  const policy = {
    ...DEFAULT_POLICY,
    parsing: { ...parsing, ...of('parsing') },
    chunking: { ...chunking, ...of('chunking') },
  };
  return { policy, fields };
}

function parsingFields(traits: readonly FileTraits[]): SuggestedField[] {
  const { ocr, header_footer_removal: removal } = DEFAULT_POLICY.parsing;
  const scanned = traits.filter((each) => each.scanned_pages > 0).length;
  const repeating = traits.filter((each) => each.repeats_lines).length;
  const pictures = scanned > 0 ? 'Some files have pages that are pictures.' : 'No page is a picture.';
  const lines = repeating > 0 ? 'Lines repeat at the borders of pages.' : 'No lines repeat at the borders of pages.';
  return [
    field('/parsing/ocr', scanned > 0 ? 'auto' : ocr, ocr, pictures, { files: scanned }),
    field('/parsing/header_footer_removal', repeating > 0 || removal, removal, lines, { files: repeating }),
  ];
}

function strategyField(traits: readonly FileTraits[]): SuggestedField {
  const usual = DEFAULT_POLICY.chunking.strategy;
  const tabular = traits.filter(({ media_type: type }) => TABULAR.test(type)).length;
  const suggest = (value: string, reason: string, files: number): SuggestedField =>
    field('/chunking/strategy', value, usual, reason, { files, of: traits.length });
  if (tabular * 2 > traits.length) return suggest('table_rows', 'Most files are tables.', tabular);
  return suggest(
    usual,
    'Sections are chunks, and text without headings is cut between paragraphs.',
    traits.length - tabular,
  );
}

function sizeFields(reports: readonly FileReport[]): SuggestedField[] {
  const { chunk_size: usualSize, chunk_overlap: usualOverlap } = DEFAULT_POLICY.chunking;
  const tokens = reports.flatMap(({ prediction }) => (prediction === null ? [] : [prediction.tokens]));
  const median = tokens.toSorted((a, b) => a - b)[Math.floor(tokens.length / 2)] ?? 0;
  const isShort = tokens.length > 0 && median < SHORT_TOKENS;
  const size = isShort ? SHORT_TOKENS : usualSize;
  const why = isShort ? 'The files are short: smaller chunks are more precise.' : 'The usual size fits.';
  const overlap = isShort ? SHORT_OVERLAP : usualOverlap;
  return [
    field('/chunking/chunk_size', size, usualSize, why, { median_tokens: median }),
    field('/chunking/chunk_overlap', overlap, usualOverlap, 'An eighth of the size.', { chunk_size: size }),
  ];
}

function field(
  pointer: string,
  value: JsonValue,
  usual: JsonValue,
  reason: string,
  evidence: Record<string, number>,
): SuggestedField {
  return { pointer, value, default: usual, reason, evidence };
}
