import type { JsonObject } from '#libs/common';
import type { ParsedDocument, UnseenText } from '#libs/parsing';
import { detectLanguage } from '#libs/text';
import type { DocumentWarning, ParsedFacts } from '../../documents/index.js';
import { firstLineTitle } from './document-title.js';

/** Characters of the beginning that language and title are taken from. */
export const LANGUAGE_SAMPLE = 4_000;
const LONGEST_TITLE = 500;

/** What is known of a parsed file besides its text; kept with the revision. */
export interface ParsedFile {
  readonly warnings: readonly DocumentWarning[];
  /** The title that the content gives, or null. */
  readonly title: string | null;
  /** Null for what was parsed before facts were kept. */
  readonly facts: ParsedFacts | null;
  /** What a reader of the file does not see; for those who look at the text later. */
  readonly unseen: readonly UnseenText[];
}

/** What the later stages need to know of the text. */
export interface ParsedText extends ParsedFile {
  /** Length in UTF-16 code units. */
  readonly length: number;
  /** By which plan the text was made. */
  readonly fingerprint: string;
  /** True while an older text of the revision is shown; the new one takes its place when the attempt completes. */
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

/** As it is kept with the revision. */
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
