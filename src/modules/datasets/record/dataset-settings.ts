import type { AccountId, JsonObject } from '#libs/common';
import type { DatasetAcl, DatasetRow, OnSameName } from './dataset.entity.js';
import { normaliseName } from './display-name.js';
import type { CloneDatasetRequest, CreateDatasetRequest, UpdateDatasetRequest } from './write-dataset.dto.js';

/** Settings that an exported configuration contains besides the categories, with their defaults. */
export interface TransferredSettings {
  readonly description: string | null;
  readonly instructions: string | null;
  readonly on_same_name: OnSameName;
  readonly acl: DatasetAcl;
  readonly metadata: JsonObject;
}

/**
 * The settings of a dataset that callers can change, named as in requests, records and columns. To add a setting, name it in
 * `TransferredSettings` and `DEFAULTS`, in the entity, in the requests and in the record; statements, clones, configurations and changes
 * follow.
 */
export interface DatasetSettings extends TransferredSettings {
  readonly name: string;
  readonly partial_member_list: readonly AccountId[];
}

const DEFAULTS: TransferredSettings = {
  description: null,
  instructions: null,
  on_same_name: 'keep_both',
  acl: 'only_me',
  metadata: {},
};

export const TRANSFERRED_SETTINGS = namesOf(DEFAULTS);
export const DATASET_SETTINGS = ['name', 'partial_member_list', ...TRANSFERRED_SETTINGS] as const;

/** The settings of a row or a similar object. */
export function settingsOf<Row extends DatasetSettings>(row: Row): Pick<Row, (typeof DATASET_SETTINGS)[number]> {
  return pick(row, DATASET_SETTINGS);
}

/** The settings of a record or row that an exported configuration contains. */
export function transferredSettings<Row extends TransferredSettings>(row: Row): Pick<Row, keyof TransferredSettings> {
  return pick(row, TRANSFERRED_SETTINGS);
}

/** The settings of a new dataset. */
export function newSettings(
  request: CreateDatasetRequest,
  members: DatasetSettings['partial_member_list'],
): DatasetSettings {
  return { ...applied(DEFAULTS, request), name: normaliseName(request.name), partial_member_list: members };
}

/**
 * The settings after a merge patch; settings that it leaves out stay. `checked`: values that were checked against other rows or limits.
 */
export function patchedSettings(
  before: DatasetSettings,
  patch: UpdateDatasetRequest,
  checked: Pick<DatasetSettings, 'partial_member_list' | 'metadata'>,
): DatasetSettings {
  const name = patch.name === undefined ? before.name : normaliseName(patch.name);
  return { ...applied(transferredSettings(before), patch), name, ...checked };
}

/** The request for a dataset with the settings of another one, with those members who still belong to the tenant. */
export function cloneOf(
  source: DatasetRow,
  { name, description }: CloneDatasetRequest,
  partialMemberList: readonly AccountId[],
): CreateDatasetRequest {
  return {
    ...transferredSettings(source),
    ...(description === undefined ? {} : { description }),
    name,
    partial_member_list: [...partialMemberList],
    category_ids: [...source.category_ids],
  };
}

/** Settings with the values of a request. null removes a setting that may be null, and is ignored for others. */
function applied(
  before: TransferredSettings,
  request: CreateDatasetRequest | UpdateDatasetRequest,
): TransferredSettings {
  const said = TRANSFERRED_SETTINGS.filter(
    (name) => request[name] !== undefined && (request[name] !== null || DEFAULTS[name] === null),
  );
  return { ...before, ...(pick(request, said) as Partial<TransferredSettings>) };
}

function namesOf<Settings extends object>(settings: Settings): (keyof Settings)[] {
  return Object.keys(settings) as (keyof Settings)[];
}

function pick<From extends object, Name extends keyof From>(from: From, names: readonly Name[]): Pick<From, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
