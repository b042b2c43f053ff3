import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CatalogueError, type JsonObject } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { decideType, ParseError, unpackArchive, ZIP, type ParsedDocument, type UnpackedFile } from '#libs/parsing';
import { yieldToRequests } from '#libs/tasks';
import {
  ArchiveParts,
  PartPaths,
  requireAcceptable,
  type ArchivePart,
  type DocumentRow,
  type DocumentWarning,
  type StoredPart,
} from '../../documents/index.js';
import { ContentInspection } from '../attempt/content-inspection.service.js';
import { done, type Outcome, type Planned } from '../attempt/document-states.js';
import { removeChunks, StepFailed } from '../../content/index.js';
import { PartFiles } from './part-files.service.js';
import { WorkFolders } from '../attempt/work-folders.service.js';

/** Maximum number of files that one warning names. */
const MOST_NAMED = 20;

/** Failure codes for errors with which an upload of the file would have been refused. Null: not decided here. */
const REFUSALS: Readonly<Record<string, string | null>> = {
  'documents.type_not_allowed': 'TYPE_NOT_ALLOWED',
  'documents.too_large_for_policy': 'TOO_LARGE_FOR_POLICY',
  'documents.type_not_supported': null,
};

/** For an archive only name, metadata and tags are inspected, together with an empty text. */
const WITHOUT_TEXT: ParsedDocument = {
  mediaType: ZIP,
  textPath: '',
  blocksPath: '',
  textLength: 0,
  warnings: [],
  fidelity: {},
};
/** Outcome for a document before parsing. */
export type SplitOutcome = Outcome<Planned> | { readonly kind: 'split' };

/** Files found in an archive. */
interface Contents {
  readonly paths: PartPaths;
  readonly parts: ArchivePart[];
  readonly skipped: Extract<UnpackedFile, { kind: 'skipped' }>[];
}

/** Splits archives: each file in them becomes a document, and the attempt on the archive ends. */
@Injectable()
export class ArchiveSplitting {
  constructor(
    private readonly archives: ArchiveParts,
    private readonly inspection: ContentInspection,
    private readonly folders: WorkFolders,
    private readonly storage: ObjectStorage,
    private readonly files: PartFiles,
  ) {}

  /** Splits an archive if its policy says so. Other documents continue; files of archives only if the policy allows them. */
  async run(document: Planned): Promise<SplitOutcome> {
    const { journal, policy, revision } = document;
    const { document: row } = journal.run;
    try {
      if (row.archive_id !== null) requireTaken(document);
      const mayBeSplit = policy.parsing.archive === 'split' && row.archive_id === null;
      if (mayBeSplit && revision.media_type === ZIP && (await this.split(document))) return { kind: 'split' };
      return done(document);
    } catch (error) {
      return { kind: 'failed', journal, error: asFailure(error) };
    }
  }

  /** Deletes the files of documents that are no longer split archives, in the transaction that shows their new text. */
  async join(ctx: TransactionContext, manager: EntityManager, rows: readonly DocumentRow[]): Promise<void> {
    await this.archives.join(ctx, manager, rows);
  }

  /** False: the file is not an archive, whatever its name says. */
  private async split(document: Planned): Promise<boolean> {
    const { journal, policy, revision } = document;
    const { ctx, attempt, document: row, signal } = journal.run;
    return this.folders.use(async (folder) => {
      const stored: StoredPart[] = [];
      const read = (path: string): Promise<Contents | undefined> => this.read(document, path, folder, stored);
      const contents = await this.storage
        .withLocalFile(parseObjectKey(revision.blob_key), read, { signal })
        .catch(async (error: unknown) => {
          await this.files.discard(ctx, stored);
          throw error;
        });
      if (contents === undefined) return false;
      const { parts, skipped, paths } = contents;
      if (parts.length === 0) throw nothingToRead(skipped);
      await this.inspection.inspect(document, WITHOUT_TEXT);
      await this.archives.split(ctx, {
        row,
        attempt,
        parts,
        isMasked: paths.isMasked,
        policy: { version: row.policy_version, policy },
        requestId: ctx.requestId,
        warnings: skippedWarnings(contents),
        fidelity: fidelityOf(contents),
        forgetText: (manager) => removeChunks(manager, row.id),
      });
      return true;
    });
  }

  private async read(
    document: Planned,
    path: string,
    workDirectory: string,
    stored: StoredPart[],
  ): Promise<Contents | undefined> {
    const { journal, policy, revision } = document;
    const { ctx, document: row, signal } = journal.run;
    const declared = row.declared_media_type;
    const file = {
      path,
      fileName: revision.name ?? row.name,
      ...(declared === null ? {} : { declaredMediaType: declared }),
    };
    if ((await decideType(file)) !== ZIP) return undefined;
    const known = await this.archives.known(ctx, row.id);
    const paths = new PartPaths({ policy });
    const contents: Contents = { paths, parts: [], skipped: [] };
    for await (const unpacked of unpackArchive(path, { workDirectory, signal })) {
      if (unpacked.kind === 'skipped') {
        contents.skipped.push({ ...unpacked, path: paths.take(unpacked.path) });
        continue;
      }
      const partPath = paths.take(unpacked.path);
      const sha256 = await hashOf(unpacked.localPath);
      const isNew = ArchiveParts.isNew(known.get(partPath), sha256);
      const part = isNew ? await this.files.store(ctx, unpacked, sha256) : null;
      contents.parts.push({ path: partPath, stored: part });
      if (part !== null) stored.push(part);
      await yieldToRequests();
    }
    return contents;
  }
}

/** Fails a file of an archive for which an upload would have been refused. @throws StepFailed */
function requireTaken({ journal, policy }: Planned): void {
  const { name, size_bytes: sizeBytes, media_type: mediaType, policy_version: version } = journal.run.document;
  const file = { name, sizeBytes: Number(sizeBytes), type: { mediaType } };
  try {
    requireAcceptable(file, { version, policy });
  } catch (error) {
    const code = error instanceof CatalogueError ? REFUSALS[error.code] : undefined;
    if (code === undefined) throw error;
    // Unreadable types are left to the parsers, which know whether the name or the content is wrong.
    if (code !== null) throw new StepFailed(code, (error as CatalogueError).message);
  }
}

/** Turns the error that the tenant's storage is used up into a failure of the archive. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof CatalogueError) || error.code !== 'documents.tenant_storage_exceeded') return error;
  return new StepFailed('TENANT_STORAGE_EXCEEDED', error.message, true);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function nothingToRead(skipped: Contents['skipped']): ParseError {
  if (skipped.length === 0) return new ParseError('UNSUPPORTED_TYPE', 'The archive contains no files.');
  const reasons = new Set(skipped.map(({ reason }) => reason));
  if (reasons.size === 1 && reasons.has('protected by a password')) {
    return new ParseError('ENCRYPTED', 'The archive is protected by a password; remove it and upload the file again.');
  }
  return new ParseError(
    'MALFORMED',
    `None of the ${skipped.length} files of the archive can be read: ${[...reasons].join(', ')}.`,
  );
}

function skippedWarnings({ parts, skipped }: Contents): DocumentWarning[] {
  if (skipped.length === 0) return [];
  const named = skipped.slice(0, MOST_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  const more = skipped.length > MOST_NAMED ? `; and ${skipped.length - MOST_NAMED} more` : '';
  const all = parts.length + skipped.length;
  return [
    {
      code: 'ATTACHMENT_SKIPPED',
      detail: `${skipped.length} of ${all} files inside were left out: ${named.join('; ')}${more}.`,
    },
  ];
}

function fidelityOf({ parts, skipped }: Contents): JsonObject {
  const seen = parts.length + skipped.length;
  return { files: parts.length, attachments_seen: seen, attachments_extracted: parts.length };
}
