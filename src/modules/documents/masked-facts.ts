import type { JsonObject } from '#libs/common';
import { maskJson, maskText, type EntityType } from '#libs/detectors';
import { governanceRulesOf, type IngestionPolicy } from '../ingestion-policy/index.js';
import type { ContentGuard } from './document-revision.entity.js';

/** Kinds of content that a policy hides, with the least certainty of each. */
export type MaskedTypes = ReadonlyMap<EntityType, number>;

export function maskedTypesOf({ governance }: Pick<IngestionPolicy, 'governance'>): MaskedTypes {
  const hidden = [...governanceRulesOf(governance)].filter(([, { action }]) => action === 'mask');
  return new Map(hidden.map(([type, { minScore }]) => [type, minScore]));
}

/** A file's name, whose ending tells its kind and belongs to no address. */
export function maskName(name: string, types: MaskedTypes): string {
  const dot = name.lastIndexOf('.');
  if (dot < 1 || name.length - dot > 12) return maskText(name, types);
  return maskText(name.slice(0, dot), types) + name.slice(dot);
}

/** What somebody says of a document, as it may be kept. */
export function maskFacts<
  T extends { readonly name: string; readonly metadata: JsonObject; readonly tags: readonly string[] },
>(facts: T, types: MaskedTypes): T {
  if (types.size === 0) return facts;
  const { name, metadata, tags } = facts;
  return {
    ...facts,
    name: maskName(name, types),
    metadata: maskJson(metadata, types),
    tags: maskJson([...tags], types),
  };
}

/** Until somebody has looked at its text, a file may hold what the policy hides. */
export function guardOfNew({ governance }: Pick<IngestionPolicy, 'governance'>): ContentGuard | null {
  const looks = [...governanceRulesOf(governance).values()].some(({ action }) => action !== 'allow');
  return looks ? 'unread' : null;
}
