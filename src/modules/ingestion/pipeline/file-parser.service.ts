import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { DocumentParser, type ParsedDocument, type ParseOptions } from '#libs/parsing';
import { LARGE_BYTES } from '../claiming/claim-statement.repository.js';
import { DependencyGate, DependencyGates, type DocumentRow } from '../../documents/index.js';

/** A stored file to parse. */
export interface FileToParse {
  readonly document: Pick<DocumentRow, 'declared_media_type' | 'size_bytes'>;
  /** Name of the file at the upload, because renaming a document does not change its type. */
  readonly fileName: string;
  readonly blobKey: string;
  readonly options: ParseOptions;
  /** Folder for the output; only one call at a time may use it. */
  readonly folder: string;
}

/** Parses stored files in isolated child processes; large files never take the last one. */
@Injectable()
export class FileParser {
  private readonly large: DependencyGate;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly parser: DocumentParser,
    private readonly gates: DependencyGates,
    settings: Settings,
  ) {
    this.large = new DependencyGate('store_unavailable', Math.max(1, settings.values.parserProcesses - 1));
  }

  /** Calls `read` with the result while its files exist. @throws ParseError, Postponed */
  async parse<T>(file: FileToParse, signal: AbortSignal, read: (parsed: ParsedDocument) => Promise<T>): Promise<T> {
    const parsed = await this.gates.files.run(() => this.inTurn(file, signal));
    return read(parsed);
  }

  private inTurn(file: FileToParse, signal: AbortSignal): Promise<ParsedDocument> {
    if (Number(file.document.size_bytes) <= LARGE_BYTES) return this.parseNow(file, signal);
    return this.large.run(() => this.parseNow(file, signal), signal);
  }

  private parseNow(
    { document, fileName, blobKey, options, folder }: FileToParse,
    signal: AbortSignal,
  ): Promise<ParsedDocument> {
    const declared = document.declared_media_type;
    return this.storage.withLocalFile(
      parseObjectKey(blobKey),
      (path) =>
        this.parser.parse(
          {
            path,
            fileName,
            workDirectory: folder,
            options,
            ...(declared === null ? {} : { declaredMediaType: declared }),
          },
          { signal },
        ),
      { signal },
    );
  }
}
