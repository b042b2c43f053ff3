import { Injectable } from '@nestjs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { CategoriesService, DatasetsService, transferredSettings } from '../../datasets/index.js';
import { pathsOf } from './category-paths.js';
import { CONFIG_FORMAT, CONFIG_VERSION, type DatasetConfig } from './dataset-config.dto.js';
import { PolicyHistory } from '../policy/policy-history.service.js';

/** Writes the configuration of a dataset as one document. */
@Injectable()
export class DatasetConfigExport {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly datasets: DatasetsService,
    private readonly categories: CategoriesService,
    private readonly history: PolicyHistory,
    private readonly audit: AuditLog,
  ) {}

  /** @throws `datasets.not_found` */
  async run(ctx: RequestContext, datasetId: string): Promise<DatasetConfig> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const { record } = await this.datasets.get(inner, datasetId);
      const { policy } = await this.history.current(inner, datasetId);
      await this.audit.append(inner, { event: 'dataset.config_exported', subject: `dataset:${record.id}` });
      const paths = pathsOf((await this.categories.tree(inner)).items);
      return {
        format: CONFIG_FORMAT,
        version: CONFIG_VERSION,
        source: { dataset_id: record.id, name: record.name, exported_at: new Date().toISOString() },
        dataset: {
          ...transferredSettings(record),
          categories: record.category_ids.flatMap((id) => {
            const path = paths.get(id);
            return path === undefined ? [] : [[...path]];
          }),
        },
        ingestion_policy: policy,
        embedding: record.embedding,
      };
    });
  }
}
