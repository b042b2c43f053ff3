import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DocumentsService } from './documents.service.js';
import type { DocumentRevision, DocumentRevisionPage } from './document-revisions.dto.js';
import { KeptRevisionsRepository, type KeptRevision } from './kept-revisions.repository.js';

/** Revisions of documents as a caller sees them. */
@Injectable()
export class DocumentRevisionsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly revisions: KeptRevisionsRepository,
  ) {}

  /**
   * Properties of files without their content, so every caller who sees the document gets them, even while it is quarantined.
   * @throws `documents.not_found`
   */
  async list(ctx: RequestContext, documentId: string, skip: number, limit: number): Promise<DocumentRevisionPage> {
    const row = await this.documents.require(ctx, documentId);
    const page = await this.revisions.list(ctx, row.id, skip, limit);
    return { ...page, items: page.items.map(toRevision) };
  }
}

function toRevision(row: KeptRevision): DocumentRevision {
  return {
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    size_bytes: Number(row.size_bytes),
    media_type: row.media_type,
    sha256: row.sha256,
    shown: row.shown,
    latest: row.latest,
  };
}
