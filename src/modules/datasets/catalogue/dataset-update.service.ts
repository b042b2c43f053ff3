import { Injectable } from '@nestjs/common';
import { canonicalJson, isUuid, type CategoryId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { requireMatch, validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type { DatasetRow } from '../record/dataset.entity.js';
import { isMetadata, MAX_METADATA_BYTES } from '../record/dataset-metadata.js';
import { isAdministrator, isOwner } from '../access/dataset-visibility.js';
import { datasetErrors } from '../datasets.errors.js';
import { patchedSettings, settingsOf, type DatasetSettings } from '../record/dataset-settings.js';
import { DatasetsRepository } from './datasets.repository.js';
import { DatasetsService, type VersionedDataset } from './datasets.service.js';
import type { UpdateDatasetRequest } from '../record/write-dataset.dto.js';
import { toIdSet } from '../record/id-set.js';
import { mergePatch } from '../record/merge-patch.js';
import { PartialMembers } from '../access/partial-members.service.js';

export interface DatasetUpdateOptions {
  /** The metadata of the patch replaces the present metadata instead of being merged into it. */
  readonly replaceMetadata?: boolean;
}

/** Changes datasets that the caller sees. */
@Injectable()
export class DatasetUpdateService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly datasets: DatasetsRepository,
    private readonly reader: DatasetsService,
    private readonly members: PartialMembers,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Applies a merge patch; a patch that changes nothing does not increase the version.
   * @throws `datasets.not_found`, `http.precondition_failed`, `datasets.acl_forbidden`, `datasets.name_taken`,
   * `datasets.category_not_found`, 422
   */
  async update(
    ctx: RequestContext,
    id: string,
    patch: UpdateDatasetRequest,
    ifMatch: string | undefined,
    options: DatasetUpdateOptions = {},
  ): Promise<VersionedDataset> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const row = isUuid(id) ? await this.datasets.lockVisible(inner, id) : undefined;
      if (row === undefined) throw datasetErrors.not_found({ id });
      requireMatch(ifMatch, row.version);
      const settings = await this.applyPatch(inner, row, patch, options);
      const categoryIds =
        patch.category_ids === undefined ? [...row.category_ids] : toIdSet<CategoryId>(patch.category_ids);
      const moved = !equal(categoryIds, row.category_ids);
      if (!moved && equal(settings, settingsOf(row))) return this.reader.describe(inner, row);
      await this.datasets.update(inner, row.id, settings);
      if (moved) await this.datasets.replaceCategories(inner, row.id, categoryIds);
      await this.recordAccessChange(inner, row, settings);
      return this.reader.describe(inner, await this.datasets.requireWritten(inner, row.id));
    });
  }

  private async applyPatch(
    ctx: TransactionContext,
    row: DatasetRow,
    patch: UpdateDatasetRequest,
    options: DatasetUpdateOptions,
  ): Promise<DatasetSettings> {
    const before = settingsOf(row);
    const listed = patch.partial_member_list && toIdSet(patch.partial_member_list);
    const sameList = listed === undefined || equal(listed, before.partial_member_list);
    const sameAccess = sameList && (patch.acl ?? before.acl) === before.acl;
    if (!sameAccess && !isOwner(ctx.principal, row.owner_id) && !isAdministrator(ctx.principal)) {
      throw datasetErrors.acl_forbidden({});
    }
    return patchedSettings(before, patch, {
      partial_member_list: sameList
        ? before.partial_member_list
        : await this.members.require(ctx, patch.partial_member_list ?? []),
      metadata: mergeMetadata(before, patch, options),
    });
  }

  private async recordAccessChange(ctx: TransactionContext, row: DatasetRow, settings: DatasetSettings): Promise<void> {
    const before = { acl: row.acl, partial_member_list: row.partial_member_list };
    const after = { acl: settings.acl, partial_member_list: settings.partial_member_list };
    if (equal(before, after)) return;
    await this.audit.append(ctx, {
      event: 'dataset.acl_changed',
      subject: `dataset:${row.id}`,
      details: { before, after },
    });
  }
}

function mergeMetadata(
  before: DatasetSettings,
  patch: UpdateDatasetRequest,
  options: DatasetUpdateOptions,
): DatasetSettings['metadata'] {
  if (patch.metadata === undefined) return before.metadata;
  if (options.replaceMetadata === true) return patch.metadata ?? {};
  const merged = patch.metadata === null ? {} : mergePatch(before.metadata, patch.metadata);
  if (isMetadata(merged)) return merged;
  const detail = `would have more than ${MAX_METADATA_BYTES} bytes after merging`;
  throw validationFailed([{ pointer: '/metadata', code: 'is_metadata', detail }]);
}

function equal(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}
