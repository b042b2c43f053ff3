import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';

const COUNT = { type: 'integer', minimum: 0 } as const;
const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;
const NUMBER = { type: Number, minimum: 0 } as const;
const MOST_ITEMS = 50;

/** A document of a finding. */
export class ScannedDocumentReference {
  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Present name of the document. */
  @ApiProperty({ type: String })
  document_name!: string;
}

/** Documents that share a finding. */
export class FoundDocuments {
  /** Number of documents at the time of the scan. */
  @ApiProperty(COUNT)
  count!: number;

  /** First 20 of these documents, without those that were deleted or quarantined since. */
  @ApiProperty({ type: () => [ScannedDocumentReference] })
  documents!: ScannedDocumentReference[];
}

/** How numbers of documents are spread. Percentiles are values that occur (nearest rank). */
export class Spread {
  /** Number of counted documents. */
  @ApiProperty(COUNT)
  count!: number;

  /** Sum over all counted documents. */
  @ApiProperty(NUMBER)
  total!: number;

  /** Smallest value. */
  @ApiProperty(NUMBER)
  min!: number;

  /** 5th percentile. */
  @ApiProperty(NUMBER)
  p5!: number;

  /** Median. */
  @ApiProperty(NUMBER)
  p50!: number;

  /** 95th percentile. */
  @ApiProperty(NUMBER)
  p95!: number;

  /** Largest value. */
  @ApiProperty(NUMBER)
  max!: number;
}

/** A value and how many documents have it. */
export class ValueCount {
  /** The value. */
  @ApiProperty({ type: String })
  value!: string;

  /** Number of documents with this value. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Share of these documents, 0 to 1. */
  @ApiProperty(SHARE)
  share!: number;
}

/** Documents of the dataset: all but deleted and quarantined ones. */
export class ProfileDocuments {
  /** Number of all documents. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of documents by status. */
  @ApiProperty({ type: () => [ValueCount] })
  by_status!: ValueCount[];

  /** Number of documents whose text has been read. */
  @ApiProperty(COUNT)
  with_text!: number;

  /** Documents with a file of 0 bytes or a text of only white space. */
  @ApiProperty({ type: () => FoundDocuments })
  empty!: FoundDocuments;

  /** Completed documents without chunks, of which a search finds nothing. */
  @ApiProperty({ type: () => FoundDocuments })
  without_chunks!: FoundDocuments;
}

/** Two documents that are alike. */
export class SimilarDocuments {
  /** Identifier of one document. */
  @ApiProperty({ format: 'uuid' })
  a!: string;

  /** Identifier of the other document. */
  @ApiProperty({ format: 'uuid' })
  b!: string;

  /** Estimated share of common sequences of five words, 0 to 1 (Jaccard similarity, by MinHash with 120 numbers). */
  @ApiProperty(SHARE)
  similarity!: number;
}

/** Documents that are the same, or nearly. */
export class DuplicateGroup {
  /** `same_file`: equal bytes. `same_text`: different files with the same text. `near`: similar texts. */
  @ApiProperty({ enum: ['same_file', 'same_text', 'near'] })
  kind!: 'same_file' | 'same_text' | 'near';

  /** Number of documents at the time of the scan. A group of kind `near` contains only one document of each text. */
  @ApiProperty(COUNT)
  size!: number;

  /** First 50 documents of the group, without those that were deleted or quarantined since. */
  @ApiProperty({ type: () => [ScannedDocumentReference] })
  documents!: ScannedDocumentReference[];

  /** SHA-256 of the common file or text, hexadecimal; null for `near`. */
  @ApiProperty({ type: String, nullable: true })
  sha256!: string | null;

  /** Up to 20 pairs of similar documents, the most similar first; null for kinds other than `near`. */
  @ApiProperty({ type: () => [SimilarDocuments], nullable: true })
  pairs!: SimilarDocuments[] | null;
}

/** How much there is of a kind of duplicates. */
export class DuplicateCount {
  /** Number of groups. */
  @ApiProperty(COUNT)
  groups!: number;

  /** Number of documents in these groups. */
  @ApiProperty(COUNT)
  documents!: number;
}

/** How much there is of texts that are alike. */
export class NearDuplicateCount extends DuplicateCount {
  /** Number of different texts that were compared, at most 200,000. */
  @ApiProperty(COUNT)
  compared!: number;
}

/** What there is more than once. */
export class ProfileDuplicates {
  /** Number of duplicates with equal files or equal texts. */
  @ApiProperty({ type: () => DuplicateCount })
  exact!: DuplicateCount;

  /** Number of duplicates with similar texts; null: the scan did not search for them. */
  @ApiProperty({ type: () => NearDuplicateCount, nullable: true })
  near!: NearDuplicateCount | null;

  /** Largest groups of each kind, at most 100; groups with fewer than two remaining documents are not shown. */
  @ApiProperty({ type: () => [DuplicateGroup] })
  items!: DuplicateGroup[];
}

/** What is out of date. */
export class ProfileStale {
  /** Documents ingested under an ingestion policy that is no longer in force. */
  @ApiProperty({ type: () => FoundDocuments })
  policy!: FoundDocuments;

  /** Documents with vectors of another embedding model than the installation's. */
  @ApiProperty({ type: () => FoundDocuments })
  embedding!: FoundDocuments;

  /** Documents whose file is older than `stale_after_days`. */
  @ApiProperty({ type: () => FoundDocuments })
  age!: FoundDocuments;
}

/** How complete metadata is. */
export class ProfileMetadata {
  /** Documents without metadata. */
  @ApiProperty({ type: () => FoundDocuments })
  without!: FoundDocuments;

  /**
   * Most frequent metadata fields with a value other than null, at most 50, with the share of documents that have them. Sensitive content
   * in field names is always hidden, independent of the policy.
   */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  fields!: ValueCount[];
}

/** Traces of texts that were read in a wrong encoding. */
export class ProfileEncoding {
  /** Documents whose text shows signs of a wrong encoding. */
  @ApiProperty({ type: () => FoundDocuments })
  damaged!: FoundDocuments;

  /** Number of characters U+FFFD in all texts. */
  @ApiProperty(COUNT)
  replaced_characters!: number;

  /** Number of sequences like "Ã¤", which appear when UTF-8 is read as Latin-1. */
  @ApiProperty(COUNT)
  misread_sequences!: number;
}

/** Sensitive content of a type, in texts. */
export class ProfileFindings {
  /** Type of the sensitive content, as in the detectors of a policy. */
  @ApiProperty({ type: String, example: 'email' })
  type!: string;

  /** Number of findings with at least the score that the policy requires for this type, by default 0.5. */
  @ApiProperty(COUNT)
  findings!: number;

  /** Number of documents with such findings. */
  @ApiProperty(COUNT)
  documents!: number;
}

/** How much of PDF documents could be read. */
export class ProfilePdf {
  /** Number of PDF documents whose pages are known. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Number of pages of these documents. */
  @ApiProperty(COUNT)
  pages!: number;

  /** Number of pages without text: images whose text was not recognised, empty and damaged pages. */
  @ApiProperty(COUNT)
  pages_without_text!: number;

  /** Share of the pages that have text, 0 to 1; 1 if there are no pages. */
  @ApiProperty(SHARE)
  readable_share!: number;

  /** Documents without any page with text. */
  @ApiProperty({ type: () => FoundDocuments })
  unreadable!: FoundDocuments;

  /** Documents with text on some of their pages. */
  @ApiProperty({ type: () => FoundDocuments })
  partly_readable!: FoundDocuments;
}

/** What a profile scan found. Numbers are those of its time; names are those of today. */
export class DatasetProfileSummary {
  /** Counts of the documents. */
  @ApiProperty({ type: () => ProfileDocuments })
  documents!: ProfileDocuments;

  /** Sizes of the files in bytes; null: there are no documents. */
  @ApiProperty({ type: () => Spread, nullable: true })
  size_bytes!: Spread | null;

  /** Tokens of a document's chunks, over documents with a text; null: there are none. */
  @ApiProperty({ type: () => Spread, nullable: true })
  tokens!: Spread | null;

  /** Chunks of a document, over documents with a text; null: there are none. */
  @ApiProperty({ type: () => Spread, nullable: true })
  chunks!: Spread | null;

  /** Length of the canonical text in UTF-16 code units, over documents with a text; null: there are none. */
  @ApiProperty({ type: () => Spread, nullable: true })
  characters!: Spread | null;

  /** Languages of the texts, the most frequent first; `und`: not determined. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  languages!: ValueCount[];

  /** Media types of the documents. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  media_types!: ValueCount[];

  /** Encodings of documents in text formats. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  charsets!: ValueCount[];

  /** Warning codes of the documents. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  warnings!: ValueCount[];

  /** Documents that are equal or similar. */
  @ApiProperty({ type: () => ProfileDuplicates })
  duplicates!: ProfileDuplicates;

  /** Documents that are out of date. */
  @ApiProperty({ type: () => ProfileStale })
  stale!: ProfileStale;

  /** Completeness of metadata. */
  @ApiProperty({ type: () => ProfileMetadata })
  metadata!: ProfileMetadata;

  /** Texts with signs of a wrong encoding. */
  @ApiProperty({ type: () => ProfileEncoding })
  encoding!: ProfileEncoding;

  /**
   * Sensitive content by type, from all detectors, independent of the action in the policy; the types with the most documents first.
   * Counted like in ingestion and rescans: in texts (including parts that are invisible in the file), titles, names, metadata and tags.
   */
  @ApiProperty({ type: () => [ProfileFindings] })
  findings!: ProfileFindings[];

  /** Readability of PDF documents. */
  @ApiProperty({ type: () => ProfilePdf })
  pdf!: ProfilePdf;

  /**
   * Contributions of other parts of the service, by name; `tables`: numbers of tables and rows, and the contents of the columns of the
   * present tables.
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'object', additionalProperties: true } })
  sections!: Record<string, JsonObject>;
}
