import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  rowsOf,
  statement,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import { DomainEvents } from '#libs/events';
import { removeTasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { bumpContent } from '../../datasets/index.js';
import { documentOfPart, type ArchiveOfParts, type ArchivePart, type StoredPart } from './archive-part.js';
import { ArchivePartWrites } from './archive-part-writes.repository.js';
import { settleArchives } from './archive-settling.repository.js';
import type { Attempt } from './attempt.js';
import { appendEvents } from './document-events.repository.js';
import { DocumentEntity, type DocumentRow, type DocumentWarning } from './document.entity.js';
import { DocumentLifecycle } from './document-lifecycle.repository.js';
import { isSplit } from './document-views.js';
import { isLegalMove } from './document-moves.js';
import { DocumentRevisionEntity } from './document-revision.entity.js';
import { generationIntent } from './generations.js';
import { forgetStagedTexts, forgetTexts } from './revision-text-writes.repository.js';
import { StoreIntents } from '../intents/store-intents.repository.js';
import { TenantStorage } from './tenant-storage.repository.js';

/** An archive that has been unpacked. */
export interface SplitArchive extends ArchiveOfParts {
  readonly attempt: Attempt;
  readonly parts: readonly ArchivePart[];
  /** Whether its bytes contain something in a path that the policy masks. */
  readonly isMasked: boolean;
  readonly warnings: readonly DocumentWarning[];
  /** Counts for `fidelity`. */
  readonly fidelity: JsonObject;
  /** Removes the text and chunks from when the archive was ingested as one text. */
  readonly forgetText: (manager: EntityManager) => Promise<void>;
}

/** A file of the archive that the dataset already has. */
export type KnownPart = Pick<DocumentRow, 'id' | 'path' | 'sha256' | 'status'>;

/** Statuses in which a file is read again even if its content has not changed. */
const ENDED_WITHOUT_TEXT: ReadonlySet<DocumentRow['status']> = new Set(['failed', 'cancelled']);

const LIST = statement(
  columnsOf(DocumentEntity, 'id', 'path', 'sha256', 'status'),
  `SELECT id, path, sha256, status FROM documents WHERE archive_id = $1 AND deleted_at IS NULL`,
);
const LOCK = statement(
  allColumnsOf(DocumentEntity),
  `SELECT * FROM documents WHERE archive_id = $1 AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
);
/** A split archive shows nothing of its own: what it showed before, for example as one text, is hidden. */
const MARK_SPLIT = statement(
  {},
  `UPDATE documents d SET status = 'processing', current_stage = 'parsing', split_revision_id = d.revision_id, visible_generation = NULL,
     visible_chunk_set_id = NULL, visible_revision = d.revision, visible_revision_id = d.revision_id, chunk_count = 0, token_count = 0,
     ingested_policy_version = CASE WHEN d.split_revision_id IS NULL AND d.visible_generation IS NULL THEN NULL
       ELSE d.ingested_policy_version END,
     media_type = 'application/zip', charset = NULL, language = NULL, page_count = NULL, fidelity = $2, warnings = $3, visibility_seq = $4,
     stored_metadata_seq = d.metadata_seq, updated_at = now()
   WHERE d.id = $1`,
);
const MARK_WHOLE = statement(
  {},
  `UPDATE documents d SET split_revision_id = NULL, searchable_parts = 0, updated_at = now() WHERE d.id = $1`,
);
/**
 * The guard of the archive; its files have guards of their own. Earlier revisions are removed, so that they do not keep bytes of removed
 * files.
 */
const GUARD = statement({}, `UPDATE document_revisions SET content_guard = $2 WHERE id = $1`);
const DROP_FORMER = statement(
  columnsOf(DocumentRevisionEntity, 'blob_key'),
  `DELETE FROM document_revisions WHERE document_id = $1 AND id <> $2 RETURNING blob_key`,
);

/** Reads and writes the files of archives as documents. */
@Injectable()
export class ArchiveParts extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly lifecycle: DocumentLifecycle,
    private readonly writes: ArchivePartWrites,
    private readonly intents: StoreIntents,
    private readonly storage: TenantStorage,
    private readonly events: DomainEvents,
  ) {
    super(unitOfWork);
  }

  /** The files of an archive that the dataset has, by path. */
  async known(ctx: RequestContext, archiveId: string): Promise<ReadonlyMap<string, KnownPart>> {
    const rows = await this.query(ctx, LIST, [archiveId]);
    return new Map(rows.flatMap((row) => (row.path === null ? [] : [[row.path, row] as const])));
  }

  /** Whether a file must be stored: the dataset does not have it, has it with another content, or could not read it. */
  static isNew(known: KnownPart | undefined, sha256: string): boolean {
    return known === undefined || known.sha256 !== sha256 || ENDED_WITHOUT_TEXT.has(known.status);
  }

  /**
   * Turns the files of an archive into documents and ends the attempt on the archive, in one transaction. Compared by path, a new file
   * becomes a document, a changed file becomes a revision, a missing file is deleted, and the other files stay unchanged.
   * @throws AttemptEnded, `documents.tenant_storage_exceeded`
   */
  async split(ctx: RequestContext, archive: SplitArchive): Promise<void> {
    await this.unitOfWork.run(ctx, async (outer, tx) => {
      const contentSeq = await bumpContent(outer, archive.row.dataset_id);
      const room = await this.storage.room(tx);
      await this.lifecycle.guarded(tx, archive.attempt, async (manager, inner, row) => {
        const known = new Map((await this.query(inner, LOCK, [row.id])).map((part) => [part.path, part]));
        const created: [string, StoredPart][] = [];
        const kept: string[] = [];
        for (const { path, stored } of archive.parts) {
          const part = known.get(path);
          known.delete(path);
          if (stored === null) continue;
          room.take(stored.sizeBytes);
          if (part === undefined) created.push([path, stored]);
          else if (!isLegalMove('revise', part.status)) kept.push(path);
          else await this.writes.revise(inner, archive, part, { path, stored, contentSeq });
        }
        const documents = created.map(([path, stored]) => documentOfPart({ ...archive, row }, path, stored));
        await this.writes.create(inner, documents);
        await this.writes.remove(inner, manager, [...known.values()]);
        await this.mark(inner, manager, { ...archive, row, contentSeq, kept });
      });
    });
  }

  /** Deletes the files of archives that are now one text or whose new revision is no archive, in the transaction that shows the text. */
  async join(ctx: TransactionContext, manager: EntityManager, rows: readonly DocumentRow[]): Promise<void> {
    for (const { id } of rows.filter(isSplit)) {
      await this.writes.remove(ctx, manager, await this.query(ctx, LOCK, [id]));
      await rowsOf(manager, MARK_WHOLE, [id]);
    }
  }

  private async mark(
    ctx: TransactionContext,
    manager: EntityManager,
    archive: SplitArchive & { readonly contentSeq: string; readonly kept: readonly string[] },
  ): Promise<void> {
    const { row, warnings, fidelity, contentSeq, kept } = archive;
    const all = [...warnings, ...keptWarnings(kept)];
    await rowsOf(manager, MARK_SPLIT, [row.id, JSON.stringify(fidelity), JSON.stringify(all), contentSeq]);
    if (row.visible_generation !== null) {
      await archive.forgetText(manager);
      const { subject, payload } = generationIntent(row, row.visible_generation);
      await this.intents.add(ctx, 'remove_generation', subject, payload);
    }
    await rowsOf(manager, GUARD, [row.revision_id, archive.isMasked ? 'masked' : null]);
    await forgetTexts(manager, [row.revision_id], false);
    await forgetStagedTexts(manager, [row.id]);
    const former = await rowsOf(manager, DROP_FORMER, [row.id, row.revision_id]);
    const files = former.map(({ blob_key: subject }) => ({ subject, payload: { blobKey: subject } }));
    await this.intents.addAll(ctx, 'remove_blob', files);
    await appendEvents(manager, ctx.tenantId, row.id, [
      { event: 'stage_completed', stage: 'parsing', details: fidelity },
      ...all.map((warning) => ({ event: 'warning', details: { ...warning } }) as const),
    ]);
    await this.unitOfWork.asSystem(ctx, (system) => removeTasks(system, [row.id]));
    await settleArchives(ctx, manager, this.events, [row.id]);
  }
}

function keptWarnings(paths: readonly string[]): DocumentWarning[] {
  if (paths.length === 0) return [];
  const named = `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' and others' : ''}`;
  const detail = `${paths.length} files are in quarantine, so the new revision did not change them: ${named}. Release them and upload the archive again.`;
  return [{ code: 'ARCHIVE_PART_KEPT', detail }];
}
