import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_ARCHIVE_LIMITS } from '../archive/preflight.js';
import type { ParseOptions } from '../document-parser.port.js';
import type { EmbeddedFile, EmbeddedFiles, EmbeddedOutcome, EmbeddedPlace } from '../formats/embedded-files.port.js';
import { findParser } from '../formats/find-parser.js';
import { extensionOf, ZIP } from '../media-type/known-types.js';
import { appendParsed } from '../output/append-parsed.js';
import { withCommonNames } from '../output/fidelity-report.js';
import { ParseOutput } from '../output/parse-output.js';
import { ParseError, type ParseErrorCode } from '../parse-error.js';
import { decideType } from './decide-type.js';

/** Containers inside of containers, of any kind: an attachment of a message in a message has depth 2. */
const MAX_DEPTH = 3;
/** Archives inside of each other, the uploaded one included. */
const MAX_ARCHIVE_DEPTH = 2;
const MAX_FILES = 2000;
/** What ends the whole parse: going on would only go on over the limit. */
const FATAL: ReadonlySet<ParseErrorCode> = new Set(['TEXT_TOO_LONG']);

/** What all containers of one upload share. */
interface Budget {
  files: number;
  bytes: number;
}

interface Level {
  workDirectory: string;
  options: ParseOptions;
  budget: Budget;
  depth: number;
  archiveDepth: number;
}

/** Reads embedded files with the parsers of the registry, in this very process. */
export class EmbeddedReader implements EmbeddedFiles {
  private readonly level: Level;

  private constructor(level: Level) {
    this.level = level;
  }

  /** The reader for what lies directly in an uploaded file of this type. */
  static forUpload(mediaType: string, workDirectory: string, options: ParseOptions): EmbeddedReader {
    const budget = { files: 0, bytes: 0 };
    return new EmbeddedReader({ workDirectory, options, budget, depth: 0, archiveDepth: mediaType === ZIP ? 1 : 0 });
  }

  makePath(): string {
    return join(this.level.workDirectory, `embedded-${randomUUID()}`);
  }

  extensionOf(mediaType: string): string | undefined {
    return extensionOf(mediaType);
  }

  countBytes(bytes: number): void {
    const { budget } = this.level;
    budget.bytes += bytes;
    if (budget.bytes <= DEFAULT_ARCHIVE_LIMITS.maxInflatedBytes) return;
    const mebibytes = Math.floor(DEFAULT_ARCHIVE_LIMITS.maxInflatedBytes / 1024 / 1024);
    throw new ParseError('ARCHIVE_LIMIT', `The file unpacks to more than ${mebibytes} MiB; split it.`);
  }

  async read(file: EmbeddedFile, output: ParseOutput, place: EmbeddedPlace): Promise<EmbeddedOutcome> {
    const { budget, depth } = this.level;
    if (depth >= MAX_DEPTH) return { kind: 'skipped', reason: `more than ${MAX_DEPTH} files deep` };
    budget.files += 1;
    if (budget.files > MAX_FILES) return { kind: 'skipped', reason: `more than ${MAX_FILES} files` };
    const workDirectory = this.makePath();
    mkdirSync(workDirectory, { mode: 0o700 });
    try {
      return await this.parse(file, workDirectory, output, place);
    } catch (error) {
      return { kind: 'skipped', reason: reasonOf(error) };
    } finally {
      rmSync(workDirectory, { recursive: true, force: true });
    }
  }

  private async parse(
    file: EmbeddedFile,
    workDirectory: string,
    output: ParseOutput,
    { heading }: EmbeddedPlace,
  ): Promise<EmbeddedOutcome> {
    const mediaType = await decideType(file);
    const archiveDepth = this.level.archiveDepth + (mediaType === ZIP ? 1 : 0);
    if (archiveDepth > MAX_ARCHIVE_DEPTH) return { kind: 'skipped', reason: 'too many nested archives' };
    const { headerFooterRemoval, ocr, hidden } = this.level.options;
    const options: ParseOptions = { headerFooterRemoval, ocr, hidden, charset: file.charset };
    const embedded = new EmbeddedReader({
      ...this.level,
      workDirectory,
      options,
      depth: this.level.depth + 1,
      archiveDepth,
    });
    const { path, fileName } = file;
    const inner = new ParseOutput(workDirectory, output.remainingUnits);
    try {
      const parseFormat = await findParser(mediaType);
      const sizeBytes = statSync(path).size;
      const result = await parseFormat({ path, sizeBytes, options, fileName, workDirectory, embedded }, inner);
      inner.close();
      await appendParsed(inner, output, heading);
      const { title, warnings = [], fidelity = {}, pageCount } = result;
      return {
        kind: 'read',
        title,
        warnings,
        fidelity: { ...(pageCount && { pages: pageCount }), ...withCommonNames(fidelity) },
      };
    } finally {
      inner.close();
    }
  }
}

/** Why a file is left out. What ends the whole parse, and what is no fault of the file, is thrown again. */
function reasonOf(error: unknown): string {
  if (error instanceof ParseError) {
    if (FATAL.has(error.code)) throw error;
    return error.detail;
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EACCES' || code === 'EIO') throw error;
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) throw error;
  return 'it is damaged and cannot be read';
}
