import type { JsonObject } from '#libs/common';
import type { NumberSpread } from './distribution.js';

/** A number of documents, with the ids of the first ones. */
export interface StoredDocuments {
  readonly count: number;
  readonly documents: readonly string[];
}

export interface CountedValue {
  readonly value: string;
  readonly documents: number;
  readonly share: number;
}

/** Ids of documents with the same file, the same text or similar texts. */
export interface StoredDuplicates {
  readonly kind: 'same_file' | 'same_text' | 'near';
  readonly size: number;
  readonly documents: readonly string[];
  /** SHA-256 of the common file or text; null for similar texts. */
  readonly sha256: string | null;
  /** Pairs of similar texts; null for equal files or texts. */
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly similarity: number }[] | null;
}

/** Stored results of a profile scan. They contain ids of documents, which are resolved at each read. */
export interface StoredProfile {
  readonly documents: {
    readonly total: number;
    readonly by_status: readonly CountedValue[];
    readonly with_text: number;
    readonly empty: StoredDocuments;
    readonly without_chunks: StoredDocuments;
  };
  readonly size_bytes: NumberSpread | null;
  readonly tokens: NumberSpread | null;
  readonly chunks: NumberSpread | null;
  readonly characters: NumberSpread | null;
  readonly languages: readonly CountedValue[];
  readonly media_types: readonly CountedValue[];
  readonly charsets: readonly CountedValue[];
  readonly warnings: readonly CountedValue[];
  readonly duplicates: {
    readonly exact: { readonly groups: number; readonly documents: number };
    /** Null: not searched for. */
    readonly near: { readonly groups: number; readonly documents: number; readonly compared: number } | null;
    readonly items: readonly StoredDuplicates[];
  };
  readonly stale: {
    readonly policy: StoredDocuments;
    readonly embedding: StoredDocuments;
    readonly age: StoredDocuments;
  };
  readonly metadata: {
    readonly without: StoredDocuments;
    readonly fields: readonly CountedValue[];
  };
  readonly encoding: {
    readonly damaged: StoredDocuments;
    readonly replaced_characters: number;
    readonly misread_sequences: number;
  };
  readonly findings: readonly { readonly type: string; readonly findings: number; readonly documents: number }[];
  readonly pdf: {
    readonly documents: number;
    readonly pages: number;
    readonly pages_without_text: number;
    readonly readable_share: number;
    readonly unreadable: StoredDocuments;
    readonly partly_readable: StoredDocuments;
  };
  readonly sections: Readonly<Record<string, JsonObject>>;
}

/** Configuration of a profile scan. */
export interface ProfileConfig {
  /** Minimum similarity of near duplicates; null: they are not searched for. */
  readonly near_duplicate_threshold: number | null;
  readonly stale_after_days: number;
  readonly policy_version: number;
  readonly embedding_space: string;
}
