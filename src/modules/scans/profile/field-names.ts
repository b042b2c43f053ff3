import type { JsonObject } from '#libs/common';
import { DEFAULT_MIN_SCORE, ENTITY_TYPES, maskText } from '#libs/detectors';
import type { StoredProfile } from './stored-profile.js';

const ALL_TYPES = new Map(ENTITY_TYPES.map((type) => [type, DEFAULT_MIN_SCORE]));
/** Maximum number of remembered names, because names of metadata fields repeat. */
const MOST_NAMES = 2_000;

/**
 * Names of metadata fields for profiles. A profile outlives documents and policies, so sensitive content in the names is masked, whatever
 * the policy says.
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

/** A stored profile with masked names, because profiles of earlier versions have unmasked names. */
export function withHiddenNames(kept: JsonObject): StoredProfile {
  const profile = kept as unknown as StoredProfile;
  const names = new FieldNames();
  const fields = profile.metadata.fields.map((field) => ({ ...field, value: names.hide(field.value) }));
  return { ...profile, metadata: { ...profile.metadata, fields } };
}
