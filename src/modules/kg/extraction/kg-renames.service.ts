import { Injectable } from '@nestjs/common';
import type { DocumentId } from '#libs/common';
import { DOCUMENT_RENAMED, type DocumentRenamed } from '../../documents/index.js';
import { OnDomainEvent, type DomainEvent } from '#libs/events';
import type { RequestContext } from '#libs/tenancy';
import { KgDocumentsRepository } from '../graphs/kg-documents.repository.js';
import { evidenceOf, HEURISTIC_EXTRACTOR } from '../graphs/kg-rows.js';

/** Rules read the title, so a renamed document is extracted again. A chat model is not shown the title, so there a new name changes nothing. */
@Injectable()
export class KgRenames {
  constructor(private readonly documents: KgDocumentsRepository) {}

  @OnDomainEvent(DOCUMENT_RENAMED, { subscriber: 'kg' })
  async renew(ctx: RequestContext, { payload }: DomainEvent<DocumentRenamed>): Promise<void> {
    await this.documents.renew(ctx, payload.document_id as DocumentId, HEURISTIC_EXTRACTOR, evidenceOf);
  }
}
