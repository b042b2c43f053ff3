import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';

const COUNT = { type: 'integer', minimum: 0 } as const;
const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;
const NUMBER = { type: Number, minimum: 0 } as const;
const MOST_ITEMS = 50;

/** A document of a finding. */
export class ScannedDocumentReference {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its name today. */
  @ApiProperty({ type: String })
  document_name!: string;
}

/** Documents that share a finding. */
export class FoundDocuments {
  /** How many there were when the scan ran. */
  @ApiProperty(COUNT)
  count!: number;

  /** The first 20 of them, as far as they are still there and not quarantined. */
  @ApiProperty({ type: () => [ScannedDocumentReference] })
  documents!: ScannedDocumentReference[];
}

/** How numbers of documents are spread. Percentiles are values that occur (nearest rank). */
export class Spread {
  /** Documents that were counted. */
  @ApiProperty(COUNT)
  count!: number;

  /** Sum over all of them. */
  @ApiProperty(NUMBER)
  total!: number;

  /** The smallest. */
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

  /** The largest. */
  @ApiProperty(NUMBER)
  max!: number;
}

/** A value and how many documents have it. */
export class ValueCount {
  /** The value. */
  @ApiProperty({ type: String })
  value!: string;

  /** Documents that have it. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Their share. */
  @ApiProperty(SHARE)
  share!: number;
}

/** Documents of the dataset: all but deleted and quarantined ones. */
export class ProfileDocuments {
  /** All. */
  @ApiProperty(COUNT)
  total!: number;

  /** By state. */
  @ApiProperty({ type: () => [ValueCount] })
  by_status!: ValueCount[];

  /** Those whose text has been read. */
  @ApiProperty(COUNT)
  with_text!: number;

  /** Files of 0 bytes, and texts of white space. */
  @ApiProperty({ type: () => FoundDocuments })
  empty!: FoundDocuments;

  /** Completed ones of which a search finds nothing. */
  @ApiProperty({ type: () => FoundDocuments })
  without_chunks!: FoundDocuments;
}

/** Two documents that are alike. */
export class SimilarDocuments {
  /** One of them. */
  @ApiProperty({ format: 'uuid' })
  a!: string;

  /** The other one. */
  @ApiProperty({ format: 'uuid' })
  b!: string;

  /** Estimated share of their runs of five words that both have (Jaccard, by MinHash with 120 numbers). */
  @ApiProperty(SHARE)
  similarity!: number;
}

/** Documents that are the same, or nearly. */
export class DuplicateGroup {
  /** `same_file`: equal bytes. `same_text`: other files with the same text. `near`: texts that are alike. */
  @ApiProperty({ enum: ['same_file', 'same_text', 'near'] })
  kind!: 'same_file' | 'same_text' | 'near';

  /** How many there were when the scan ran. Of equal texts only one stands in a group of `near`. */
  @ApiProperty(COUNT)
  size!: number;

  /** The first 50 of them, as far as they are still there and not quarantined. */
  @ApiProperty({ type: () => [ScannedDocumentReference] })
  documents!: ScannedDocumentReference[];

  /** SHA-256 of the file or text that they share; null for `near`. */
  @ApiProperty({ type: String, nullable: true })
  sha256!: string | null;

  /** Evidence of `near`: up to 20 pairs, the most alike first; null for the others. */
  @ApiProperty({ type: () => [SimilarDocuments], nullable: true })
  pairs!: SimilarDocuments[] | null;
}

/** How much there is of a kind of duplicates. */
export class DuplicateCount {
  /** Groups. */
  @ApiProperty(COUNT)
  groups!: number;

  /** Documents in them. */
  @ApiProperty(COUNT)
  documents!: number;
}

/** How much there is of texts that are alike. */
export class NearDuplicateCount extends DuplicateCount {
  /** Texts that were compared with each other: one of each, at most 200,000. */
  @ApiProperty(COUNT)
  compared!: number;
}

/** What there is more than once. */
export class ProfileDuplicates {
  /** Equal files and equal texts. */
  @ApiProperty({ type: () => DuplicateCount })
  exact!: DuplicateCount;

  /** Texts that are alike; null where the scan did not look for them. */
  @ApiProperty({ type: () => NearDuplicateCount, nullable: true })
  near!: NearDuplicateCount | null;

  /** The largest groups of each kind, at most 100; those of which fewer than two documents are left are not shown. */
  @ApiProperty({ type: () => [DuplicateGroup] })
  items!: DuplicateGroup[];
}

/** What is out of date. */
export class ProfileStale {
  /** Ingested with a policy that is not in force any more. */
  @ApiProperty({ type: () => FoundDocuments })
  policy!: FoundDocuments;

  /** With vectors of another embedding model than the installation's. */
  @ApiProperty({ type: () => FoundDocuments })
  embedding!: FoundDocuments;

  /** Whose file is older than `stale_after_days`. */
  @ApiProperty({ type: () => FoundDocuments })
  age!: FoundDocuments;
}

/** How complete metadata is. */
export class ProfileMetadata {
  /** Documents without any. */
  @ApiProperty({ type: () => FoundDocuments })
  without!: FoundDocuments;

  /**
   * The most frequent fields that are not null, at most 50, with the share of documents that have them. What is sensitive in their names is
   * hidden, whatever the policy says.
   */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  fields!: ValueCount[];
}

/** Traces of texts that were read in a wrong encoding. */
export class ProfileEncoding {
  /** Documents with such traces. */
  @ApiProperty({ type: () => FoundDocuments })
  damaged!: FoundDocuments;

  /** Characters U+FFFD in all texts. */
  @ApiProperty(COUNT)
  replaced_characters!: number;

  /** Sequences like "Ã¤", which UTF-8 gives when it is read as Latin-1. */
  @ApiProperty(COUNT)
  misread_sequences!: number;
}

/** Sensitive content of a type, in texts. */
export class ProfileFindings {
  /** The type, as detectors of policies name it. */
  @ApiProperty({ type: String, example: 'email' })
  type!: string;

  /** How often it was found, with the score that the policy asks for this type, else with 0.5 or more. */
  @ApiProperty(COUNT)
  findings!: number;

  /** In how many documents. */
  @ApiProperty(COUNT)
  documents!: number;
}

/** How much of PDF documents could be read. */
export class ProfilePdf {
  /** PDF documents whose pages are known. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Their pages. */
  @ApiProperty(COUNT)
  pages!: number;

  /** Pages without text: pictures that nobody has recognised, empty and broken ones. */
  @ApiProperty(COUNT)
  pages_without_text!: number;

  /** Share of the pages that have text; 1 without pages. */
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
  /** Documents. */
  @ApiProperty({ type: () => ProfileDocuments })
  documents!: ProfileDocuments;

  /** Sizes of the files in bytes; null without documents. */
  @ApiProperty({ type: () => Spread, nullable: true })
  size_bytes!: Spread | null;

  /** Tokens of the chunks of a document, of documents with a text. */
  @ApiProperty({ type: () => Spread, nullable: true })
  tokens!: Spread | null;

  /** Chunks of a document, of documents with a text. */
  @ApiProperty({ type: () => Spread, nullable: true })
  chunks!: Spread | null;

  /** UTF-16 code units of the canonical text, of documents with one. */
  @ApiProperty({ type: () => Spread, nullable: true })
  characters!: Spread | null;

  /** Languages of the texts, the most frequent first; `und`: not determined. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  languages!: ValueCount[];

  /** Media types. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  media_types!: ValueCount[];

  /** Encodings of the text formats. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  charsets!: ValueCount[];

  /** Codes of the warnings that documents carry. */
  @ApiProperty({ type: () => [ValueCount], maxItems: MOST_ITEMS })
  warnings!: ValueCount[];

  /** What there is more than once. */
  @ApiProperty({ type: () => ProfileDuplicates })
  duplicates!: ProfileDuplicates;

  /** What is out of date. */
  @ApiProperty({ type: () => ProfileStale })
  stale!: ProfileStale;

  /** How complete metadata is. */
  @ApiProperty({ type: () => ProfileMetadata })
  metadata!: ProfileMetadata;

  /** Damaged texts. */
  @ApiProperty({ type: () => ProfileEncoding })
  encoding!: ProfileEncoding;

  /**
   * Sensitive content by its type, all detectors, whatever the policy does with it; the types of most documents first. Counted as ingestion
   * and rescans do: in texts (what a reader of the file does not see included), titles, names, metadata and tags.
   */
  @ApiProperty({ type: () => [ProfileFindings] })
  findings!: ProfileFindings[];

  /** Readability of PDF documents. */
  @ApiProperty({ type: () => ProfilePdf })
  pdf!: ProfilePdf;

  /** What other parts of the service contribute, by their names; `tables`: tables, rows, and what the columns of the present tables hold. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'object', additionalProperties: true } })
  sections!: Record<string, JsonObject>;
}
