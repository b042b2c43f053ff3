import { tmpdir } from 'node:os';

/** Limits of the parser's child processes. */
export interface ParserPoolOptions {
  /** Files parsed at the same time; a child each. */
  poolSize: number;
  /** Data segment of a child (`RLIMIT_DATA`): heap, buffers and private mappings together. */
  memoryBytes: number;
  /** Processor time of a child over its whole life; it is replaced in time before it gets there. */
  cpuSeconds: number;
  /** Deadline of an empty file, from the moment a child takes it. */
  deadlineMs: number;
  /** Added to the deadline for every MiB of the file. */
  deadlineMsPerMebibyte: number;
  /** A child without work ends after this time, so that an idle service is small. */
  idleMs: number;
  /** Files after which a child is replaced. */
  maxDocumentsPerChild: number;
  /** Resident memory after a file above which a child is replaced. */
  maxIdleRssBytes: number;
  /** Folder for the files that are handed to children and come back; it is made where it is missing. */
  workFolder: string;
  /** Folders that no child may see, wherever they lie. */
  hidden: readonly string[];
  /** Whether children get namespaces of their own where the machine allows it. */
  namespaces: boolean;
  /** The program of LibreOffice for old formats; null for none. Left out it is looked for in the usual places. */
  officeProgram?: string | null;
  /** Data segment of LibreOffice while it converts a file. */
  converterMemoryBytes: number;
}

export const DEFAULT_POOL_OPTIONS: ParserPoolOptions = {
  poolSize: 1,
  memoryBytes: 1_000_000_000,
  cpuSeconds: 1200,
  deadlineMs: 120_000,
  deadlineMsPerMebibyte: 1000,
  idleMs: 30_000,
  maxDocumentsPerChild: 2_000,
  maxIdleRssBytes: 300 * 1024 * 1024,
  workFolder: tmpdir(),
  hidden: [],
  namespaces: true,
  converterMemoryBytes: 1_500_000_000,
};

/** The deadline of a file. */
export function deadlineOf(sizeBytes: number, options: ParserPoolOptions): number {
  return options.deadlineMs + Math.ceil(sizeBytes / 1024 / 1024) * options.deadlineMsPerMebibyte;
}
