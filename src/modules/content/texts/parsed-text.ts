import type { JsonObject } from '#libs/common';
import type { ParsedDocument, UnseenText } from '#libs/parsing';
import { detectLanguage } from '#libs/text';
import type { DocumentWarning, ParsedFacts } from '../../documents/index.js';
import { firstLineTitle } from './document-title.js';

/** Number of characters at the beginning from which language and title are determined. */
export const LANGUAGE_SAMPLE = 4_000;
const LONGEST_TITLE = 500;

/** Properties of a parsed file besides its text; stored with the revision. */
export interface ParsedFile {
  readonly warnings: readonly DocumentWarning[];
  /** The title in the content; null: none. */
  readonly title: string | null;
  /** Null for texts that were parsed before this was stored. */
  readonly facts: ParsedFacts | null;
  /** Stretches that a reader of the file does not see; for later inspections of the text. */
  readonly unseen: readonly UnseenText[];
}

/** Properties of the text that later stages need. */
export interface ParsedText extends ParsedFile {
  /** Length in UTF-16 code units. */
  readonly length: number;
  /** Fingerprint of the parsing plan that made the text. */
  readonly fingerprint: string;
  /** True while an older text of the revision is shown; the new one replaces it when the attempt completes. */
  readonly staged: boolean;
}

/** `sample`: the beginning of the text. */
export function parsedFile(parsed: ParsedDocument, sample: string): ParsedFile {
  return {
    warnings: parsed.warnings.map(({ code, detail }) => ({ code, detail })),
    title: contentTitle(parsed, sample),
    facts: {
      media_type: parsed.mediaType,
      charset: parsed.charset?.name ?? null,
      language: detectLanguage(sample.toWellFormed()).language,
      page_count: parsed.pageCount ?? null,
      fidelity: fidelityOf(parsed),
    },
    unseen: parsed.unseen ?? [],
  };
}

/** The stored form, with the revision. */
export function asStored({ warnings, title, facts, unseen }: ParsedFile): JsonObject {
  return {
    warnings: warnings.map(({ code, detail }) => ({ code, detail })),
    title,
    facts: facts === null ? null : { ...facts },
    ...(unseen.length === 0 ? {} : { unseen: unseen.map((one) => ({ ...one })) }),
  };
}

function fidelityOf(parsed: ParsedDocument): JsonObject {
  const { charset } = parsed;
  return {
    characters: parsed.textLength,
    ...(charset === undefined ? {} : { charset_confidence: charset.confidence }),
    ...parsed.fidelity,
  };
}

function contentTitle(parsed: ParsedDocument, sample: string): string | null {
  if (parsed.title !== undefined && parsed.title.trim() !== '')
    return parsed.title.trim().slice(0, LONGEST_TITLE).toWellFormed();
  return parsed.mediaType === 'text/plain' ? firstLineTitle(sample) : null;
}
