import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetVisibilityPort } from '../../accounts/index.js';
import { DatasetAccess } from './dataset-access.repository.js';

/** Checks for accounts whether an API key may be limited to certain datasets. */
@Injectable()
export class DatasetVisibilityAdapter extends DatasetVisibilityPort {
  constructor(private readonly access: DatasetAccess) {
    super();
  }

  /** @throws `datasets.not_found` naming the first id that the caller does not see. */
  override async assertVisible(ctx: RequestContext, ids: readonly string[]): Promise<void> {
    await this.access.requireAllVisible(ctx, ids);
  }
}
