import type { JsonObject } from '#libs/common';
import { DEFAULT_MIN_SCORE, ENTITY_TYPES, maskText } from '#libs/detectors';
import type { StoredProfile } from './stored-profile.js';

const ALL_TYPES = new Map(ENTITY_TYPES.map((type) => [type, DEFAULT_MIN_SCORE]));
/** Names that are remembered: those of metadata come again and again. */
const MOST_NAMES = 2_000;

/**
 * Names of metadata as a profile keeps and shows them, which outlives the documents and the policy of its day: what is sensitive in them is
 * hidden, whatever the policy says.
 */
export class FieldNames {
  private readonly known = new Map<string, string>();

  hide(name: string): string {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const hidden = maskText(name, ALL_TYPES);
    if (this.known.size >= MOST_NAMES) this.known.clear();
    this.known.set(name, hidden);
    return hidden;
  }
}

/** A kept profile as it may be shown: one of an earlier version has its names as they were. */
export function withHiddenNames(kept: JsonObject): StoredProfile {
  const profile = kept as unknown as StoredProfile;
  const names = new FieldNames();
  const fields = profile.metadata.fields.map((field) => ({ ...field, value: names.hide(field.value) }));
  return { ...profile, metadata: { ...profile.metadata, fields } };
}
