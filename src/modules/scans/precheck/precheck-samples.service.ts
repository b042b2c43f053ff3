import { Injectable } from '@nestjs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { parseObjectKey } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { StoreIntents, UploadFormReader } from '../../documents/index.js';
import { PrecheckFilesRepository } from './precheck-files.repository.js';

/**
 * Samples are in the object storage while their scan runs. Before the first byte is written, an intent to remove them after a day is
 * recorded; the end of a scan removes them at once or lets a worker do so.
 */
@Injectable()
export class PrecheckSamples {
  constructor(
    private readonly files: PrecheckFilesRepository,
    private readonly forms: UploadFormReader,
    private readonly intents: StoreIntents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Removes the samples of a scan now. */
  async remove(ctx: RequestContext, scanRunId: string): Promise<void> {
    const keys = await this.files.listSamples(ctx, scanRunId);
    await this.forms.discard(
      ctx,
      keys.map((key) => ({ blobKey: parseObjectKey(key) })),
    );
  }

  /** Lets a worker remove the samples of a scan, in the transaction that ends it. */
  async release(ctx: RequestContext, scanRunId: string): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner: TransactionContext) => {
      const keys = await this.files.forgetSamples(inner, scanRunId);
      await this.intents.forgetAll(inner, 'remove_blob', keys);
      await this.intents.addAll(
        inner,
        'remove_blob',
        keys.map((subject) => ({ subject, payload: { blobKey: subject } })),
      );
    });
  }
}
