import type { AccountId, JsonObject } from '#libs/common';
import type { DatasetAcl, DatasetRow, OnSameName } from './dataset.entity.js';
import type { Dataset } from './dataset.dto.js';
import { normaliseName } from './display-name.js';
import type { CloneDatasetRequest, CreateDatasetRequest, UpdateDatasetRequest } from './write-dataset.dto.js';

/** The part of a dataset that its users write. A further setting is named here, in the row, the requests and the record of a dataset. */
export interface DatasetSettings {
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  readonly onSameName: OnSameName;
  readonly acl: DatasetAcl;
  readonly partialMemberList: readonly AccountId[];
  readonly metadata: JsonObject;
}

/** Settings that need a look at other rows, or at limits, before they are written. */
type Checked = Pick<DatasetSettings, 'partialMemberList' | 'metadata'>;

/** The settings that a row keeps. */
export function settingsOf(row: DatasetRow): DatasetSettings {
  return {
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    onSameName: row.on_same_name,
    acl: row.acl,
    partialMemberList: row.partial_member_list,
    metadata: row.metadata,
  };
}

/** The settings of a new dataset. */
export function newSettings(request: CreateDatasetRequest, partialMemberList: readonly AccountId[]): DatasetSettings {
  return {
    name: normaliseName(request.name),
    description: request.description ?? null,
    instructions: request.instructions ?? null,
    onSameName: request.on_same_name ?? 'keep_both',
    acl: request.acl ?? 'only_me',
    partialMemberList,
    metadata: request.metadata ?? {},
  };
}

/** The settings after a merge patch: what it leaves out stays. */
export function patchedSettings(
  before: DatasetSettings,
  patch: UpdateDatasetRequest,
  checked: Checked,
): DatasetSettings {
  return {
    name: patch.name === undefined ? before.name : normaliseName(patch.name),
    description: patch.description === undefined ? before.description : patch.description,
    instructions: patch.instructions === undefined ? before.instructions : patch.instructions,
    onSameName: patch.on_same_name ?? before.onSameName,
    acl: patch.acl ?? before.acl,
    ...checked,
  };
}

/** The request for a dataset with the settings of another one; its members are those that there still are. */
export function cloneOf(
  source: DatasetRow,
  request: CloneDatasetRequest,
  partialMemberList: readonly AccountId[],
): CreateDatasetRequest {
  const { description, instructions, onSameName, acl, metadata } = settingsOf(source);
  return {
    name: request.name,
    description: request.description === undefined ? description : request.description,
    instructions,
    on_same_name: onSameName,
    acl,
    partial_member_list: [...partialMemberList],
    category_ids: [...source.category_ids],
    metadata,
  };
}

/** Settings that a configuration takes from one dataset to another, besides its categories. */
export const TRANSFERRED_SETTINGS = ['description', 'instructions', 'on_same_name', 'acl', 'metadata'] as const;

/** Those of a dataset's record. */
export function transferredSettings(record: Dataset): Pick<Dataset, (typeof TRANSFERRED_SETTINGS)[number]> {
  const { description, instructions, on_same_name, acl, metadata } = record;
  return { description, instructions, on_same_name, acl, metadata };
}
