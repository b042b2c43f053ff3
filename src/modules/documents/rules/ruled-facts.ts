import type { FieldProblem, JsonObject } from '#libs/common';
import { detect, type EntityType } from '#libs/detectors';
import type { DetectorAction, GovernanceRules } from '../../ingestion-policy/index.js';
import type { DocumentFacts } from '../record/document-facts.js';

/** Result of checking a change by the rules of a policy. */
export interface FactsVerdict {
  /** Rejected values, with their places; never the content itself. */
  readonly problems: readonly FieldProblem[];
  /** Kinds of content for which the document is quarantined, in order. */
  readonly quarantined: readonly EntityType[];
}

const NOTHING: FactsVerdict = { problems: [], quarantined: [] };

/** Checks only values that the change adds; earlier values were checked when they were added. */
export function judgeFacts(before: DocumentFacts, after: DocumentFacts, rules: GovernanceRules): FactsVerdict {
  const strict = new Map([...rules].filter(([, { action }]) => action === 'quarantine' || action === 'reject'));
  if (strict.size === 0) return NOTHING;
  const known = new Set(textsOf(before.metadata));
  const brought: readonly (readonly [pointer: string, texts: readonly string[]])[] = [
    ['/name', after.name === before.name ? [] : [after.name]],
    ...Object.entries(after.metadata).map(([key, value]) => {
      const texts = [key, ...textsOf(value)].filter((text) => !known.has(text));
      // A field name that contains such content is not repeated in the error.
      const isTold = typesIn([key], strict).reject.length === 0;
      return [isTold ? `/metadata/${escaped(key)}` : '/metadata', texts] as const;
    }),
    ['/tags', after.tags.filter((tag) => !before.tags.includes(tag))],
  ];
  const found = brought.map(([pointer, texts]) => ({ pointer, ...typesIn(texts, strict) }));
  return {
    problems: found.flatMap(({ pointer, reject }) => reject.map((type) => problemOf(pointer, type))),
    quarantined: [...new Set(found.flatMap(({ quarantine }) => quarantine))].toSorted(),
  };
}

function problemOf(pointer: string, type: EntityType): FieldProblem {
  const detail = `contains content of the type ${type}, which the dataset's ingestion policy rejects (governance.detectors, entity_type ${type}); remove it`;
  return { pointer, code: 'rejected_by_policy', detail };
}

/** Kinds of content that are found in texts, by action. */
function typesIn(
  texts: readonly string[],
  rules: GovernanceRules,
): { readonly quarantine: readonly EntityType[]; readonly reject: readonly EntityType[] } {
  const found = new Set<EntityType>();
  for (const text of texts) {
    for (const { entityType, score } of detect(text, { types: rules.keys(), minScore: 0 })) {
      if (score >= rules.get(entityType)!.minScore) found.add(entityType);
    }
  }
  const of = (action: DetectorAction): EntityType[] => [...found].filter((type) => rules.get(type)!.action === action);
  return { quarantine: of('quarantine'), reject: of('reject') };
}

/** All texts in metadata, including field names and numbers. */
function textsOf(value: JsonObject[string]): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((inner) => textsOf(inner as JsonObject[string]));
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
