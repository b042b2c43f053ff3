import type { DocumentStatusName } from '../../documents/index.js';

/** What a profile counts of a document: ids, numbers and words of the service, and the names of its metadata. */
export interface DocumentFacts {
  readonly status: DocumentStatusName;
  readonly media_type: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly language: string | null;
  readonly charset: string | null;
  readonly chunks: number;
  readonly tokens: number;
  readonly pages: number | null;
  readonly pages_without_text: number;
  readonly warnings: readonly string[];
  readonly metadata_keys: readonly string[];
  readonly stale_policy: boolean;
  readonly stale_embedding: boolean;
  readonly stale_age: boolean;
  /**
   * Sensitive content in the text and beside it, by its type; types that were not found are left out. Undefined for what a scan had looked at
   * before an upgrade.
   */
  readonly findings?: Readonly<Record<string, number>>;
  /** Null while there is none. */
  readonly text: TextFacts | null;
}

/** What is known of a text without keeping any of it. */
export interface TextFacts {
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly characters: number;
  /** Nothing but white space. */
  readonly is_blank: boolean;
  readonly replaced_characters: number;
  readonly misread_sequences: number;
}
