import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/common';
import { DETECTORS_VERSION } from '#libs/detectors';
import type { ParseOptions } from '#libs/parsing';
import type { DocumentRow } from '../../documents/index.js';
import { governanceRulesOf, type IngestionPolicy } from '../../ingestion-policy/index.js';

/** Increased when the same file with the same options would give another text, other blocks or other unseen stretches. */
export const PARSER_VERSION = '23';

/** The parsing options of a document, with their fingerprint. */
export interface ParsePlan {
  readonly options: ParseOptions;
  /** Equal fingerprints give equal texts of the same file. */
  readonly fingerprint: string;
}

/** The masking rules, which are part of the fingerprint. */
function inspectionOf({ governance }: IngestionPolicy): string {
  const rules = [...governanceRulesOf(governance)].map(([type, { action, minScore }]) => [type, { action, minScore }]);
  if (rules.length === 0) return '';
  const hash = createHash('sha256')
    .update(canonicalJson(Object.fromEntries(rules)))
    .digest('hex')
    .slice(0, 16);
  return `-inspected-${DETECTORS_VERSION}-${hash}`;
}

/** The options of the policy for this document's type; options for all types apply where the type has none. */
export function parsePlanOf(
  policy: IngestionPolicy,
  document: Pick<DocumentRow, 'media_type'>,
  maxTextCharacters: number,
): ParsePlan {
  const { types, ...general } = policy.parsing;
  const wanted = { ...general, ...types?.[document.media_type] };
  const maxTextUnits = Math.min(maxTextCharacters, policy.limits.max_text_characters ?? maxTextCharacters);
  const options: ParseOptions = {
    maxTextUnits,
    headerFooterRemoval: wanted.header_footer_removal,
    ocr: wanted.ocr,
    ...(wanted.charset === null ? {} : { charset: wanted.charset }),
    ...(wanted.hidden === 'exclude' && { hidden: 'exclude' as const }),
  };
  // The limit is not part of the fingerprint: a text is complete or fails, so another limit does not change it.
  const { maxTextUnits: _, ...deciding } = options;
  const hash = createHash('sha256').update(canonicalJson(deciding)).digest('hex').slice(0, 16);
  return { options, fingerprint: `parser-${PARSER_VERSION}-${hash}${inspectionOf(policy)}` };
}
