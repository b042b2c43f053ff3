import { Injectable } from '@nestjs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { requireMatch, validationFailed } from '#libs/http';
import { authErrors, type RequestContext } from '#libs/tenancy';
import {
  CategoriesService,
  DatasetAccess,
  DatasetsService,
  DatasetUpdateService,
  type Dataset,
  type DatasetEmbedding,
  type UpdateDatasetRequest,
} from '../../datasets/index.js';
import { findByPath } from './category-paths.js';
import type {
  DatasetConfigImportEmbedding,
  DatasetConfigImportRequest,
  DatasetConfigImportSettings,
} from './dataset-config-import.dto.js';
import type { DatasetConfigImportResult, DatasetConfigWarning } from './dataset-config.dto.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { PolicyChanges } from '../policy/policy-changes.service.js';
import { checkPolicy } from '../rules/policy-validation.js';

const ORIGIN = { comment: 'Imported with a configuration.' };

export interface ImportedConfig {
  readonly result: DatasetConfigImportResult;
  /** Version of the dataset's record. */
  readonly version: number;
}

/** Applies an exported configuration to a dataset: all of it, or nothing. */
@Injectable()
export class DatasetConfigImport {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly datasets: DatasetsService,
    private readonly updates: DatasetUpdateService,
    private readonly categories: CategoriesService,
    private readonly access: DatasetAccess,
    private readonly changes: PolicyChanges,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @throws `datasets.not_found`, 422 with pointers into the document, `http.precondition_failed`, `datasets.name_taken`,
   * `datasets.acl_forbidden`, `auth.permission_missing` for a policy without `policies:write`
   */
  async run(
    ctx: RequestContext,
    datasetId: string,
    document: DatasetConfigImportRequest,
    ifMatch: string | undefined,
  ): Promise<ImportedConfig> {
    await this.access.requireVisible(ctx, datasetId);
    const policy = this.policyOf(ctx, document.ingestion_policy);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.lockVisible(inner, datasetId);
      const before = await this.datasets.get(inner, datasetId);
      requireMatch(ifMatch, before.version);
      const wanted = policy && this.changes.embeddingOf(policy);
      requireKnownEmbedding(before.record, wanted, document.embedding);
      const { patch, warnings } = await this.toPatch(inner, document.dataset ?? {});
      const appended =
        policy === undefined ? null : (await this.changes.append(inner, dataset, policy, ORIGIN)).version;
      // Done last, because a new access rule may hide the dataset from the caller.
      const { record, version } = await this.updates.update(inner, datasetId, patch, undefined, {
        replaceMetadata: true,
      });
      await this.audit.append(inner, {
        event: 'dataset.config_imported',
        subject: `dataset:${record.id}`,
        details: { fields: Object.keys(document.dataset ?? {}).sort(), policy_version: appended },
      });
      return { result: { dataset: record, ingestion_policy_version: appended, warnings }, version };
    });
  }

  private policyOf(ctx: RequestContext, sent: object | undefined): IngestionPolicy | undefined {
    if (sent === undefined) return undefined;
    const permission = 'policies:write';
    if (!ctx.principal.permissions.has(permission))
      throw authErrors.permission_missing({ permission, kind: ctx.principal.kind });
    const checked = checkPolicy(sent);
    const problems = checked.policy === undefined ? checked.problems : this.changes.problemsOf(checked.policy);
    if (problems.length === 0) return checked.policy;
    const parent = '/ingestion_policy';
    throw validationFailed(problems.map((problem) => ({ ...problem, pointer: parent + problem.pointer })));
  }

  private async toPatch(
    ctx: RequestContext,
    settings: DatasetConfigImportSettings,
  ): Promise<{ patch: UpdateDatasetRequest; warnings: DatasetConfigWarning[] }> {
    const { categories, ...rest } = settings;
    if (categories === undefined) return { patch: rest, warnings: [] };
    const tree = (await this.categories.tree(ctx)).items;
    const ids = categories.map((path) => findByPath(tree, path));
    const warnings = categories.flatMap((path, index) => {
      if (ids[index] !== undefined) return [];
      const detail = `The tenant has no category ${path.join(' > ')}; it was left out. Create the category and import again.`;
      return [{ pointer: `/dataset/categories/${index}`, code: 'CATEGORY_UNKNOWN', detail }];
    });
    return { patch: { ...rest, category_ids: ids.filter((id) => id !== undefined) }, warnings };
  }
}

function requireKnownEmbedding(
  { embedding }: Dataset,
  wanted: DatasetEmbedding | undefined,
  sent: DatasetConfigImportEmbedding | undefined,
): void {
  if (sent === undefined || (wanted !== undefined && differing(wanted, sent).length === 0)) return;
  const fields = differing(embedding, sent);
  if (fields.length === 0) return;
  const asked = wanted === undefined ? '' : `, and its policy names ${wanted.model}`;
  throw validationFailed(
    fields.map((name) => ({
      pointer: `/embedding/${name}`,
      code: 'same_embedding',
      detail: `is ${JSON.stringify(embedding[name])} in this dataset${asked}; an import changes the model only through its policy: leave embedding out`,
    })),
  );
}

function differing(
  known: DatasetEmbedding,
  sent: DatasetConfigImportEmbedding,
): readonly ('provider' | 'model' | 'dimensions')[] {
  return (['provider', 'model', 'dimensions'] as const).filter((name) => sent[name] !== known[name]);
}
