import type { IngestionPolicy, VersionedPolicy } from '../../ingestion-policy/index.js';
import { ZIP } from '#libs/parsing';
import type { DryRunWarning } from './dry-run.dto.js';

/** Properties of a document on which the warnings depend. */
export interface TriedFile {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Whether it is in an archive, so that it is not split itself. */
  readonly isPart: boolean;
  /** Length of its text in UTF-16 code units. */
  readonly length: number;
}

const PARSING_FIELDS = ['ocr', 'header_footer_removal', 'charset', 'hidden'] as const;

/** Warnings about effects of a policy that a dry run on the stored text cannot show. */
export function warningsFor(file: TriedFile, policy: IngestionPolicy, ingested: VersionedPolicy): DryRunWarning[] {
  return [
    ...parsingWarnings(file, policy, ingested),
    ...enrichmentWarnings(policy),
    ...admissionWarnings(file, policy),
  ];
}

function parsingWarnings(file: TriedFile, policy: IngestionPolicy, ingested: VersionedPolicy): DryRunWarning[] {
  const wanted = parsingOf(policy, file.mediaType);
  const present = parsingOf(ingested.policy, file.mediaType);
  const fields = PARSING_FIELDS.filter((field) => wanted[field] !== present[field]);
  const wouldBeSplit = file.mediaType === ZIP && !file.isPart && policy.parsing.archive === 'split';
  const split = wouldBeSplit
    ? [
        needsParsing(
          'Each file of the archive would become a document of its own. Only a reingest shows the files and their chunks.',
        ),
      ]
    : [];
  const others = fields.map((field) => ({
    pointer: `/parsing/${field}`,
    code: 'NEEDS_PARSING',
    detail: `The document would be parsed with ${field} ${show(wanted[field])}, but its text was made with ${show(present[field])} (version ${ingested.version}). Only a reingest shows the difference.`,
  }));
  return [...split, ...others];
}

/** Effects of the policy on an archive whose files are documents. */
export function warningsForArchive(policy: IngestionPolicy): DryRunWarning[] {
  if (policy.parsing.archive === 'split') return [];
  return [
    needsParsing(
      'The files of the archive would become one text. Only a reingest shows the chunks of that text; the dry run shows the chunks of the files.',
    ),
  ];
}

function needsParsing(detail: string): DryRunWarning {
  return { pointer: '/parsing/archive', code: 'NEEDS_PARSING', detail };
}

function enrichmentWarnings({ enrichment }: IngestionPolicy): DryRunWarning[] {
  if (enrichment.context === 'off') return [];
  const detail =
    'A chat model would write a line about each chunk, which searches use in addition to the text. A dry run calls no model; the chunks are the same.';
  return [{ pointer: '/enrichment/context', code: 'LINES_NOT_WRITTEN', detail }];
}

/** Options for the type; options for all types apply where the type has none. */
function parsingOf(policy: IngestionPolicy, mediaType: string): Readonly<Record<string, unknown>> {
  const { types, ...general } = policy.parsing;
  return { hidden: 'include', ...general, ...(Object.hasOwn(types, mediaType) ? types[mediaType] : {}) };
}

function admissionWarnings(file: TriedFile, policy: IngestionPolicy): DryRunWarning[] {
  const { allowed_types: allowed, max_bytes: mostBytes } = policy.governance;
  const { max_text_characters: longest } = policy.limits;
  const warnings: DryRunWarning[] = [];
  if (allowed !== null && !allowed.includes(file.mediaType)) {
    const detail = `The type ${file.mediaType} is not allowed: such a file could not be uploaded.`;
    warnings.push({ pointer: '/governance/allowed_types', code: 'TYPE_NOT_ALLOWED', detail });
  }
  if (mostBytes !== null && file.sizeBytes > mostBytes) {
    const detail = `The file has ${file.sizeBytes} bytes, more than the ${mostBytes} allowed: such a file could not be uploaded.`;
    warnings.push({ pointer: '/governance/max_bytes', code: 'TOO_LARGE', detail });
  }
  if (longest !== null && file.length > longest) {
    const detail = `The text has ${file.length} code units, more than the ${longest} allowed: the ingestion would fail with TEXT_TOO_LONG.`;
    warnings.push({ pointer: '/limits/max_text_characters', code: 'TEXT_TOO_LONG', detail });
  }
  return warnings;
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
