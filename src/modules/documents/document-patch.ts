import { canonicalJson, type FieldProblem, type JsonObject } from '#libs/common';
import { mergePatch } from '../datasets/index.js';
import { normaliseTags, problemsOfMetadata, problemsOfTags } from './document-facts.js';
import { normaliseDocumentName } from './document-name.js';
import { maskFacts, type MaskedTypes } from './masked-facts.js';

/** The part of a document that its users write. */
export interface DocumentFacts {
  readonly name: string;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
}

/** A change of it; what is undefined stays. */
export interface FactsPatch {
  readonly name?: string;
  /** Merged (RFC 7396); null: removed. */
  readonly metadata?: JsonObject | null;
  /** Replaced; null: removed. Then `add_tags` are added and `remove_tags` removed. */
  readonly tags?: readonly string[] | null;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
}

/** The facts after a change, or what stands against it. */
export type FactsChange = { readonly facts: DocumentFacts } | { readonly problems: readonly FieldProblem[] };

/** The facts after the change with what the policy hides (`types`) masked, the same object where nothing changes, or what stands against it. */
export function applyFactsPatch(before: DocumentFacts, patch: FactsPatch, types: MaskedTypes = new Map()): FactsChange {
  const wanted: DocumentFacts = {
    name: patch.name === undefined ? before.name : normaliseDocumentName(patch.name),
    metadata: patchMetadata(before.metadata, patch.metadata),
    tags: patchTags(before.tags, patch),
  };
  const facts = maskFacts(wanted, types);
  const problems = [
    ...(facts.metadata === before.metadata ? [] : problemsOfMetadata(facts.metadata)),
    ...problemsOfTags(facts.tags),
  ];
  if (problems.length > 0) return { problems };
  const { name, metadata, tags } = before;
  return { facts: canonicalJson(facts) === canonicalJson({ name, metadata, tags }) ? before : facts };
}

function patchMetadata(before: JsonObject, patch: JsonObject | null | undefined): JsonObject {
  if (patch === undefined) return before;
  return patch === null ? {} : mergePatch(before, patch);
}

function patchTags(before: readonly string[], patch: FactsPatch): string[] {
  const base = patch.tags === undefined ? before : (patch.tags ?? []);
  const removed = new Set(normaliseTags(patch.remove_tags ?? []));
  return normaliseTags([...base, ...(patch.add_tags ?? [])]).filter((tag) => !removed.has(tag));
}
