import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/common';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';

/** SHA-256, hexadecimal, of the policy's canonical JSON: equal policies have equal fingerprints, whatever the order of their fields. */
export function fingerprintOf(policy: IngestionPolicy): string {
  return createHash('sha256').update(canonicalJson(policy)).digest('hex');
}
