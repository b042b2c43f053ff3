import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { Answer } from '#libs/http';

const MOST_ITEMS = 50;

/** A document of a finding. */
export class ScannedDocumentReference {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Present name of the document. */
  @Answer.Text()
  document_name!: string;
}

/** Documents that share a finding. */
export class FoundDocuments {
  /** Number of documents at the time of the scan. */
  @Answer.Count()
  count!: number;

  /** First 20 of these documents, without those that were deleted or quarantined since. */
  @Answer.NestedList(() => ScannedDocumentReference)
  documents!: ScannedDocumentReference[];
}

/** Distribution of a number over documents. Percentiles are values that occur (nearest rank). */
export class Spread {
  /** Number of counted documents. */
  @Answer.Count()
  count!: number;

  /** Sum over all counted documents. */
  @Answer.Decimal({ min: 0 })
  total!: number;

  /** Smallest value. */
  @Answer.Decimal({ min: 0 })
  min!: number;

  /** 5th percentile. */
  @Answer.Decimal({ min: 0 })
  p5!: number;

  /** Median. */
  @Answer.Decimal({ min: 0 })
  p50!: number;

  /** 95th percentile. */
  @Answer.Decimal({ min: 0 })
  p95!: number;

  /** Largest value. */
  @Answer.Decimal({ min: 0 })
  max!: number;
}

/** A value and the number of documents with it. */
export class ValueCount {
  /** The value. */
  @Answer.Text()
  value!: string;

  /** Number of documents with this value. */
  @Answer.Count()
  documents!: number;

  /** Share of the documents that have this value, 0 to 1. */
  @Answer.Share()
  share!: number;
}

/** Documents of the dataset: all but deleted and quarantined ones. */
export class ProfileDocuments {
  /** Number of all documents. */
  @Answer.Count()
  total!: number;

  /** Number of documents by status. */
  @Answer.NestedList(() => ValueCount)
  by_status!: ValueCount[];

  /** Number of documents whose text has been read. */
  @Answer.Count()
  with_text!: number;

  /** Documents with a file of 0 bytes or a text of only white space. */
  @Answer.Nested(() => FoundDocuments)
  empty!: FoundDocuments;

  /** Completed documents without chunks, which no search can find. */
  @Answer.Nested(() => FoundDocuments)
  without_chunks!: FoundDocuments;
}

/** Two similar documents. */
export class SimilarDocuments {
  /** Identifier of one document. */
  @Answer.Uuid()
  a!: string;

  /** Identifier of the other document. */
  @Answer.Uuid()
  b!: string;

  /** Estimated share of common sequences of five words, 0 to 1 (Jaccard similarity, by MinHash with 120 numbers). */
  @Answer.Share()
  similarity!: number;
}

/** A group of equal or similar documents. */
export class DuplicateGroup {
  /** `same_file`: equal bytes. `same_text`: different files with the same text. `near`: similar texts. */
  @Answer.Choice(['same_file', 'same_text', 'near'])
  kind!: 'same_file' | 'same_text' | 'near';

  /** Number of documents at the time of the scan. A group of kind `near` contains only one document of each text. */
  @Answer.Count()
  size!: number;

  /** First 50 documents of the group, without those that were deleted or quarantined since. */
  @Answer.NestedList(() => ScannedDocumentReference)
  documents!: ScannedDocumentReference[];

  /** SHA-256 of the common file or text, hexadecimal; null for `near`. */
  @Answer.Text({ nullable: true })
  sha256!: string | null;

  /** Up to 20 pairs of similar documents, the most similar first; null for kinds other than `near`. */
  @Answer.NestedList(() => SimilarDocuments, { nullable: true })
  pairs!: SimilarDocuments[] | null;
}

/** Number of duplicates of one kind. */
export class DuplicateCount {
  /** Number of groups. */
  @Answer.Count()
  groups!: number;

  /** Number of documents in these groups. */
  @Answer.Count()
  documents!: number;
}

/** Number of near duplicates. */
export class NearDuplicateCount extends DuplicateCount {
  /** Number of different texts that were compared, at most 200,000. */
  @Answer.Count()
  compared!: number;
}

/** Duplicates among the documents. */
export class ProfileDuplicates {
  /** Number of duplicates with equal files or equal texts. */
  @Answer.Nested(() => DuplicateCount)
  exact!: DuplicateCount;

  /** Number of duplicates with similar texts; null: the scan did not search for them. */
  @Answer.Nested(() => NearDuplicateCount, { nullable: true })
  near!: NearDuplicateCount | null;

  /** Largest groups of each kind, at most 100; groups with fewer than two remaining documents are not shown. */
  @Answer.NestedList(() => DuplicateGroup)
  items!: DuplicateGroup[];
}

/** Documents that are out of date. */
export class ProfileStale {
  /** Documents ingested under an ingestion policy that is no longer in force. */
  @Answer.Nested(() => FoundDocuments)
  policy!: FoundDocuments;

  /** Documents with vectors of another embedding model than the installation's. */
  @Answer.Nested(() => FoundDocuments)
  embedding!: FoundDocuments;

  /** Documents whose file is older than `stale_after_days`. */
  @Answer.Nested(() => FoundDocuments)
  age!: FoundDocuments;
}

/** Completeness of metadata. */
export class ProfileMetadata {
  /** Documents without metadata. */
  @Answer.Nested(() => FoundDocuments)
  without!: FoundDocuments;

  /**
   * Most frequent metadata fields with a value other than null, at most 50, with the share of documents that have them. Sensitive content
   * in field names is always hidden, independent of the policy.
   */
  @Answer.NestedList(() => ValueCount, { max: MOST_ITEMS })
  fields!: ValueCount[];
}

/** Traces of texts that were read in a wrong encoding. */
export class ProfileEncoding {
  /** Documents whose text shows signs of a wrong encoding. */
  @Answer.Nested(() => FoundDocuments)
  damaged!: FoundDocuments;

  /** Number of characters U+FFFD in all texts. */
  @Answer.Count()
  replaced_characters!: number;

  /** Number of sequences like "Ã¤", which appear when UTF-8 is read as Latin-1. */
  @Answer.Count()
  misread_sequences!: number;
}

/** Sensitive content of a type, in texts. */
export class ProfileFindings {
  /** Type of the sensitive content, as in the detectors of a policy. */
  @Answer.Text({ example: 'email' })
  type!: string;

  /** Number of findings with at least the score that the policy requires for this type, by default 0.5. */
  @Answer.Count()
  findings!: number;

  /** Number of documents with such findings. */
  @Answer.Count()
  documents!: number;
}

/** Readability of PDF documents. */
export class ProfilePdf {
  /** Number of PDF documents whose pages are known. */
  @Answer.Count()
  documents!: number;

  /** Number of pages of these documents. */
  @Answer.Count()
  pages!: number;

  /** Number of pages without text: images whose text was not recognised, empty and damaged pages. */
  @Answer.Count()
  pages_without_text!: number;

  /** Share of the pages that have text, 0 to 1; 1 if there are no pages. */
  @Answer.Share()
  readable_share!: number;

  /** Documents without any page with text. */
  @Answer.Nested(() => FoundDocuments)
  unreadable!: FoundDocuments;

  /** Documents with text on some of their pages. */
  @Answer.Nested(() => FoundDocuments)
  partly_readable!: FoundDocuments;
}

/** Results of a profile scan. Numbers are those at the time of the scan; names are the present ones. */
export class DatasetProfileSummary {
  /** Counts of the documents. */
  @Answer.Nested(() => ProfileDocuments)
  documents!: ProfileDocuments;

  /** Sizes of the files in bytes; null: there are no documents. */
  @Answer.Nested(() => Spread, { nullable: true })
  size_bytes!: Spread | null;

  /** Tokens of a document's chunks, over documents with a text; null: there are none. */
  @Answer.Nested(() => Spread, { nullable: true })
  tokens!: Spread | null;

  /** Chunks of a document, over documents with a text; null: there are none. */
  @Answer.Nested(() => Spread, { nullable: true })
  chunks!: Spread | null;

  /** Length of the canonical text in UTF-16 code units, over documents with a text; null: there are none. */
  @Answer.Nested(() => Spread, { nullable: true })
  characters!: Spread | null;

  /** Languages of the texts, the most frequent first; `und`: not determined. */
  @Answer.NestedList(() => ValueCount, { max: MOST_ITEMS })
  languages!: ValueCount[];

  /** Media types of the documents. */
  @Answer.NestedList(() => ValueCount, { max: MOST_ITEMS })
  media_types!: ValueCount[];

  /** Encodings of documents in text formats. */
  @Answer.NestedList(() => ValueCount, { max: MOST_ITEMS })
  charsets!: ValueCount[];

  /** Warning codes of the documents. */
  @Answer.NestedList(() => ValueCount, { max: MOST_ITEMS })
  warnings!: ValueCount[];

  /** Documents that are equal or similar. */
  @Answer.Nested(() => ProfileDuplicates)
  duplicates!: ProfileDuplicates;

  /** Documents that are out of date. */
  @Answer.Nested(() => ProfileStale)
  stale!: ProfileStale;

  /** Completeness of metadata. */
  @Answer.Nested(() => ProfileMetadata)
  metadata!: ProfileMetadata;

  /** Texts with signs of a wrong encoding. */
  @Answer.Nested(() => ProfileEncoding)
  encoding!: ProfileEncoding;

  /**
   * Sensitive content by type, from all detectors, independent of the action in the policy; the types with the most documents first.
   * Counted as in ingestion and rescans: in texts (including parts that are invisible in the file), titles, names, metadata and tags.
   */
  @Answer.NestedList(() => ProfileFindings)
  findings!: ProfileFindings[];

  /** Readability of PDF documents. */
  @Answer.Nested(() => ProfilePdf)
  pdf!: ProfilePdf;

  /**
   * Contributions of other parts of the service, by name; `tables`: numbers of tables and rows, and the contents of the columns of the
   * present tables.
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'object', additionalProperties: true } })
  sections!: Record<string, JsonObject>;
}
