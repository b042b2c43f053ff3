import { toNormalForm } from '#libs/common';
import type { FieldProblem, JsonObject } from '#libs/common';
import { findBrokenText } from '#libs/http';

/** Name, metadata and tags of a document, which callers can change. */
export interface DocumentFacts {
  readonly name: string;
  /** Left out: unchanged. */
  readonly path?: string | null;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
}

/** Maximum number of tags of a document. */
export const MAX_TAGS = 50;
/** Maximum length of a tag in characters (code points). */
export const MAX_TAG_LENGTH = 128;
/** Maximum size of a document's metadata as JSON in UTF-8, in bytes. */
export const MAX_METADATA_BYTES = 64 * 1024;
/** Maximum length of a document's name in UTF-16 code units. */
export const MAX_NAME_LENGTH = 255;

/** Tags in their stored form: Unicode form NFC, trimmed, none empty, each once, in the given order. */
export function normaliseTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => toNormalForm(tag, 'NFC').trim()).filter((tag) => tag !== ''))];
}

/** Problems of tags that `normaliseTags` has returned. */
export function problemsOfTags(tags: readonly string[], pointer = '/tags'): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (tags.length > MAX_TAGS) {
    problems.push({ pointer, code: 'max_items', detail: `must be at most ${MAX_TAGS} tags` });
  }
  if (tags.some((tag) => [...tag].length > MAX_TAG_LENGTH)) {
    const detail = `each tag must have at most ${MAX_TAG_LENGTH} characters`;
    problems.push({ pointer, code: 'max_length', detail });
  }
  return problems;
}

/** Problems of a document's metadata. */
export function problemsOfMetadata(metadata: JsonObject, pointer = '/metadata'): FieldProblem[] {
  const broken = findBrokenText(metadata, pointer);
  if (broken.length > 0) return broken;
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    return [{ pointer, code: 'max_length', detail: `must be at most ${MAX_METADATA_BYTES} bytes` }];
  }
  return [];
}
