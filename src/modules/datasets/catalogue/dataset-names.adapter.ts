import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetNames } from '../../usage/index.js';
import { DatasetAccess } from '../access/dataset-access.repository.js';

/** Gives usage the names of datasets that the caller sees. */
@Injectable()
export class DatasetNamesAdapter extends DatasetNames {
  constructor(private readonly access: DatasetAccess) {
    super();
  }

  override async find(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const visible = await this.access.listVisible(ctx, ids);
    return new Map(visible.map(({ id, name }) => [id, name]));
  }
}
