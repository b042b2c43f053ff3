import type { JsonObject } from '#libs/common';
import type { NumberSpread } from './distribution.js';

/** A number of documents and, by their ids, the first of them. */
export interface StoredDocuments {
  readonly count: number;
  readonly documents: readonly string[];
}

export interface CountedValue {
  readonly value: string;
  readonly documents: number;
  readonly share: number;
}

/** Documents with the same file, the same text, or texts that are alike; by their ids. */
export interface StoredDuplicates {
  readonly kind: 'same_file' | 'same_text' | 'near';
  readonly size: number;
  readonly documents: readonly string[];
  /** SHA-256 of what is the same; null for texts that are alike. */
  readonly sha256: string | null;
  /** The pairs that were found; null for what is the same. */
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly similarity: number }[] | null;
}

/** What a profile scan has found, as it is kept: documents by their ids, resolved when someone reads it. */
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
    /** Null where they were not looked for. */
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

/** What a profile scan follows. */
export interface ProfileConfig {
  /** Least similarity of near duplicates; null: they are not looked for. */
  readonly near_duplicate_threshold: number | null;
  readonly stale_after_days: number;
  readonly policy_version: number;
  readonly embedding_space: string;
}
