import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/common';
import { DETECTORS_VERSION } from '#libs/detectors';
import type { ParseOptions } from '#libs/parsing';
import type { DocumentRow } from '../../documents/index.js';
import { governanceRulesOf, type IngestionPolicy } from '../../ingestion-policy/index.js';

/** Changes when the same file under the same options would give another text, other blocks or other stretches that are not seen. */
export const PARSER_VERSION = '20';

/** How a document is to be parsed, and what that is known by. */
export interface ParsePlan {
  readonly options: ParseOptions;
  /** Equal fingerprints give equal texts of the same file. */
  readonly fingerprint: string;
}

/** What is hidden in a text is part of how it was made. */
function inspectionOf({ governance }: IngestionPolicy): string {
  const rules = [...governanceRulesOf(governance)].map(([type, { action, minScore }]) => [type, { action, minScore }]);
  if (rules.length === 0) return '';
  const hash = createHash('sha256')
    .update(canonicalJson(Object.fromEntries(rules)))
    .digest('hex')
    .slice(0, 16);
  return `-inspected-${DETECTORS_VERSION}-${hash}`;
}

/** What the policy asks for this document's type; what it leaves out is as for all types. */
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
  // A longer limit changes no text that was within the shorter one: too long a text is none at all.
  const { maxTextUnits: _, ...deciding } = options;
  const hash = createHash('sha256').update(canonicalJson(deciding)).digest('hex').slice(0, 16);
  return { options, fingerprint: `parser-${PARSER_VERSION}-${hash}${inspectionOf(policy)}` };
}
