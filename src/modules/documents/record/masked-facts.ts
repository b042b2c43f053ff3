import type { JsonObject } from '#libs/common';
import { maskJson, maskSpans, maskText, spansIn, type EntityType } from '#libs/detectors';
import { governanceRulesOf, type GovernanceRules, type IngestionPolicy } from '../../ingestion-policy/index.js';
import type { ContentGuard } from './document-revision.entity.js';

const ENDING = /^\.[A-Za-z][A-Za-z0-9]{0,10}$/;

/** Kinds of content that a policy masks, with the minimum certainty of each. */
export type MaskedTypes = ReadonlyMap<EntityType, number>;

export function maskedTypesOf({ governance }: Pick<IngestionPolicy, 'governance'>): MaskedTypes {
  return maskedTypesIn(governanceRulesOf(governance));
}

export function maskedTypesIn(rules: GovernanceRules): MaskedTypes {
  const hidden = [...rules].filter(([, { action }]) => action === 'mask');
  return new Map(hidden.map(([type, { minScore }]) => [type, minScore]));
}

/** A masked file name or path. The extension is kept because it tells the type, even if it could be part of an address. */
export function maskName(name: string, types: MaskedTypes): string {
  const dot = name.lastIndexOf('.');
  const hasEnding = dot >= 1 && ENDING.test(name.slice(dot));
  if (types.size === 0 || !hasEnding) return maskText(name, types);
  const stem = name.slice(0, dot);
  const within = [...spansIn(name, types), ...spansIn(stem, types)];
  return maskSpans(stem, within) + name.slice(dot);
}

/** Name, metadata and tags of a document, masked as the policy says. */
export function maskFacts<
  T extends {
    readonly name: string;
    readonly path?: string | null;
    readonly metadata: JsonObject;
    readonly tags: readonly string[];
  },
>(facts: T, types: MaskedTypes): T {
  if (types.size === 0) return facts;
  const { name, path, metadata, tags } = facts;
  return {
    ...facts,
    name: maskName(name, types),
    ...(typeof path === 'string' ? { path: maskName(path, types) } : {}),
    metadata: maskJson(metadata, types),
    tags: maskJson([...tags], types),
  };
}

/** Guard of a new file: until its text has been inspected, it may contain something that the policy masks. */
export function guardOfNew({ governance }: Pick<IngestionPolicy, 'governance'>): ContentGuard | null {
  const looks = [...governanceRulesOf(governance).values()].some(({ action }) => action !== 'allow');
  return looks ? 'unread' : null;
}
