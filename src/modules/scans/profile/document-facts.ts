import type { DocumentStatusName } from '../../documents/index.js';

/** Properties of a document that a profile counts: ids, numbers, words of the service, and names of metadata fields. */
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
   * Number of findings of sensitive content in the text, name and metadata, by type; types without findings are left out. Undefined for
   * documents that a scan examined before an upgrade.
   */
  readonly findings?: Readonly<Record<string, number>>;
  /** Null while there is none. */
  readonly text: TextFacts | null;
}

/** Properties of a text that contain nothing of it. */
export interface TextFacts {
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly characters: number;
  /** Whether the text is only white space. */
  readonly is_blank: boolean;
  readonly replaced_characters: number;
  readonly misread_sequences: number;
}
