import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { rowsOf, statement, type TransactionContext } from '#libs/database';
import { revisionOfPart, type ArchiveOfParts, type StoredPart } from './archive-part.js';
import { DocumentCreationRepository, type NewDocument } from './document-creation.repository.js';
import type { DocumentRow } from './document.entity.js';
import { DocumentRevisionsRepository } from './document-revisions.repository.js';
import { DocumentTransitions } from './document-transitions.service.js';

/** Files that a new revision no longer contains are detached from the archive. */
const DETACH = statement({}, `UPDATE documents SET archive_id = NULL WHERE id = ANY ($1::uuid[])`);
/** Writes the files of an archive when it is split, in the same transaction. */
@Injectable()
export class ArchivePartWrites {
  constructor(
    private readonly creation: DocumentCreationRepository,
    private readonly revisions: DocumentRevisionsRepository,
    private readonly transitions: DocumentTransitions,
  ) {}

  /** Creates documents for new files. */
  async create(ctx: TransactionContext, documents: readonly NewDocument[]): Promise<void> {
    await this.creation.createAll(ctx, documents);
  }

  /** Adds a revision to a file whose content has changed, under the same path. */
  async revise(
    ctx: TransactionContext,
    archive: ArchiveOfParts,
    part: DocumentRow,
    { path, stored, contentSeq }: { readonly path: string; readonly stored: StoredPart; readonly contentSeq: string },
  ): Promise<void> {
    await this.revisions.revise(ctx, {
      ...revisionOfPart(archive, path, stored),
      documentId: part.id,
      path,
      sameNameId: null,
      policyVersion: archive.policy.version,
      metadata: undefined,
      tags: undefined,
      contentSeq,
    });
  }

  /** Deletes files that are no longer in the archive. */
  async remove(ctx: TransactionContext, manager: EntityManager, rows: readonly DocumentRow[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await rowsOf(manager, DETACH, [ids]);
    await this.transitions.delete(ctx, ids);
  }
}
