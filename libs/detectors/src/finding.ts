/** Changes when the same text would give other findings. */
export const DETECTORS_VERSION = '1';

/** The kinds of content that are looked for, as policies, findings and counts name them. */
export const ENTITY_TYPES = [
  'email',
  'phone',
  'iban',
  'credit_card',
  'us_ssn',
  'uk_nino',
  'de_steuer_id',
  'fr_nir',
  'es_dni',
  'es_nie',
  'it_codice_fiscale',
  'nl_bsn',
  'pl_pesel',
  'br_cpf',
  'in_aadhaar',
  'ip_address',
  'mac_address',
  'url_credentials',
  'secret',
  'prompt_injection',
  'hidden_text',
] as const;

export type EntityType = (typeof ENTITY_TYPES)[number];

/** From the least to the most harmful. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** What a detector saw: where and how certain, never the value. */
export interface Match {
  /** Which of the type's rules, for instance `github_token`. */
  readonly rule: string;
  /** First UTF-16 code unit of the value in the text. */
  readonly start: number;
  /** Code unit behind the value. */
  readonly end: number;
  /** 0 to 1: how certain it is that this is a value of the type. */
  readonly score: number;
}

/** A match with its type. */
export interface Finding extends Match {
  readonly entityType: EntityType;
  readonly severity: Severity;
}

/** Finds the values of one type. Its time grows with the length of the text, whatever the text is. */
export interface Detector {
  readonly severity: Severity;
  /** Whether its values are numbers that another type of number may be taken for: the most certain type of a place wins. */
  readonly isNumber: boolean;
  readonly find: (text: string) => Match[];
}
