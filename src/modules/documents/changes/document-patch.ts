import { canonicalJson, type FieldProblem, type JsonObject } from '#libs/common';
import type { EntityType } from '#libs/detectors';
import { mergePatch } from '../../datasets/index.js';
import type { GovernanceRules } from '../../ingestion-policy/index.js';
import { normaliseTags, problemsOfMetadata, problemsOfTags, type DocumentFacts } from '../record/document-facts.js';
import { normaliseDocumentName } from '../record/document-name.js';
import { maskedTypesIn, maskFacts } from '../record/masked-facts.js';
import { judgeFacts } from '../rules/ruled-facts.js';

/** A change of name, metadata and tags; undefined fields stay unchanged. */
export interface FactsPatch {
  readonly name?: string;
  /** Merged into the present metadata (RFC 7396); null removes it. */
  readonly metadata?: JsonObject | null;
  /** Replaces the tags; null removes them. Then `add_tags` are added and `remove_tags` removed. */
  readonly tags?: readonly string[] | null;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
}

/** The facts after a change, with the kinds of content for which the document is quarantined, or the problems of the change. */
export type FactsChange =
  | { readonly facts: DocumentFacts; readonly quarantined: readonly EntityType[] }
  | { readonly problems: readonly FieldProblem[] };

/** The facts after the change, masked as the policy says (the same object if nothing changes), or the problems of the change. */
export function applyFactsPatch(
  before: DocumentFacts,
  patch: FactsPatch,
  rules: GovernanceRules = new Map(),
): FactsChange {
  const wanted: DocumentFacts = {
    name: patch.name === undefined ? before.name : normaliseDocumentName(patch.name),
    metadata: patchMetadata(before.metadata, patch.metadata),
    tags: patchTags(before.tags, patch),
  };
  const facts = maskFacts(wanted, maskedTypesIn(rules));
  const verdict = judgeFacts(before, wanted, rules);
  const problems = [
    ...verdict.problems,
    ...(facts.metadata === before.metadata ? [] : problemsOfMetadata(facts.metadata)),
    ...problemsOfTags(facts.tags),
  ];
  if (problems.length > 0) return { problems };
  const { name, metadata, tags } = before;
  const isSame = canonicalJson(facts) === canonicalJson({ name, metadata, tags });
  return isSame ? { facts: before, quarantined: [] } : { facts, quarantined: verdict.quarantined };
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
