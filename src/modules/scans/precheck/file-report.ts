export const VERDICTS = ['pass', 'warn', 'fail'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const CHECKS = [
  'readable',
  'encrypted',
  'scanned_pages',
  'charset',
  'tables',
  'headers_footers',
  'language',
  'duplicates',
  'same_name',
  'size',
  'pii',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** Result of one check. */
export interface FileCheck {
  readonly check: CheckName;
  readonly status: Verdict;
  readonly detail: string;
}

/** Prediction of the ingestion of a file. */
export interface Prediction {
  readonly chunks: number;
  readonly tokens: number;
  readonly characters: number;
  readonly milliseconds: number;
  /** Price in the currency of `MODEL_PRICES`; 0 for models without a price. */
  readonly cost: number;
}

/** Properties of the file on which a suggested policy is based. */
export interface FileTraits {
  readonly media_type: string;
  readonly language: string;
  readonly headings: number;
  readonly tables: number;
  readonly scanned_pages: number;
  readonly repeats_lines: boolean;
}

export interface FileReport {
  readonly verdict: Verdict;
  readonly checks: readonly FileCheck[];
  /** Null for a file that cannot be read. */
  readonly prediction: Prediction | null;
  readonly traits: FileTraits | null;
}

/** The worst result of all checks. */
export function verdictOf(checks: readonly FileCheck[]): Verdict {
  if (checks.some(({ status }) => status === 'fail')) return 'fail';
  return checks.some(({ status }) => status === 'warn') ? 'warn' : 'pass';
}
