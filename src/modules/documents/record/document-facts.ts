import { toNormalForm } from '#libs/common';
import type { FieldProblem, JsonObject } from '#libs/common';
import { findBrokenText } from '#libs/http';

/** The part of a document that its users write. */
export interface DocumentFacts {
  readonly name: string;
  /** Left out: it stays as it is. */
  readonly path?: string | null;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
}

/** Most tags of a document. */
export const MAX_TAGS = 50;
/** Most characters (code points) of a tag. */
export const MAX_TAG_LENGTH = 128;
/** Most bytes of a document's metadata as JSON in UTF-8. */
export const MAX_METADATA_BYTES = 64 * 1024;
/** Most characters (UTF-16 code units) of a document's name. */
export const MAX_NAME_LENGTH = 255;

/** Tags as they are kept: Unicode form NFC, no white space around them, none empty, each once, in the order given. */
export function normaliseTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => toNormalForm(tag, 'NFC').trim()).filter((tag) => tag !== ''))];
}

/** What is wrong with tags that `normaliseTags` gave. */
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

/** What is wrong with a document's metadata. */
export function problemsOfMetadata(metadata: JsonObject, pointer = '/metadata'): FieldProblem[] {
  const broken = findBrokenText(metadata, pointer);
  if (broken.length > 0) return broken;
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    return [{ pointer, code: 'max_length', detail: `must be at most ${MAX_METADATA_BYTES} bytes` }];
  }
  return [];
}
