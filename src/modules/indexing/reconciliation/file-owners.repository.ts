import { Injectable } from '@nestjs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentRevisionEntity } from '../../documents/index.js';

const FIND_OWNER = statement(
  columnsOf(DocumentRevisionEntity, 'id'),
  `SELECT id FROM document_revisions WHERE blob_key = $1 AND (content_guard IS NULL OR content_guard NOT IN ('rejected', 'purged'))`,
);

/** Finds the revisions that stored files belong to. */
@Injectable()
export class FileOwners extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Whether a revision needs the file; a revision whose content must not be kept needs none. */
  async hasOwner(ctx: RequestContext, key: string): Promise<boolean> {
    return (await this.queryOne(ctx, FIND_OWNER, [key])) !== undefined;
  }
}
