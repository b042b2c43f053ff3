import { Injectable } from '@nestjs/common';
import { DocumentSight, IdempotencyService } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { documentErrors } from '../documents.errors.js';

/** Documents of one statement. */
const BATCH = 1_000;

/** Answers that were kept for repeated requests and that tell of purged documents: their names, paths and metadata. */
@Injectable()
export class PurgedAnswers {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly documents: DocumentSight,
  ) {}

  /** Takes them away. The same request with the same key is `documents.not_found` then, as the document is, and its effect is not made again. */
  async forget(ctx: RequestContext): Promise<void> {
    const described = await this.idempotency.listDocuments(ctx);
    for (let from = 0; from < described.length; from += BATCH) {
      const some = described.slice(from, from + BATCH);
      const known = new Set(await this.documents.listKnown(ctx, some));
      const gone = some.filter((id) => !known.has(id));
      if (gone.length > 0) await this.idempotency.forgetDocuments(ctx, gone, documentErrors.not_found({}));
    }
  }
}
