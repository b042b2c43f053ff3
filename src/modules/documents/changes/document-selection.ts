import { toNormalForm } from '#libs/common';
import type { DatasetId, FieldProblem, JsonObject } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { DocumentStatusName } from '../record/document.entity.js';

/** Conditions on the documents of a dataset; all of them must hold. */
export interface DocumentConditions {
  readonly status?: DocumentStatusName;
  readonly tag?: string;
  /** Of the policy that the shown chunks were made with; where nothing is shown, of the latest attempt. */
  readonly policyVersionLt?: number;
  readonly createdBefore?: Date;
  /** Top-level keys of the metadata with their exact values. */
  readonly metadata?: JsonObject;
}

/** Documents that a batch is about. */
export type DocumentSelection =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'filter'; readonly datasetId: DatasetId; readonly conditions: DocumentConditions };

/** The body of a batch, its fields already checked one by one. */
export interface SelectionBody {
  readonly document_ids?: readonly string[];
  readonly dataset_id?: string;
  readonly where?: WhereBody;
}

interface WhereBody {
  readonly status?: DocumentStatusName;
  readonly tag?: string;
  readonly policy_version_lt?: number;
  readonly created_before?: string;
  readonly metadata?: JsonObject;
}

/**
 * Reads which documents a body names: by ids or by a dataset, never both. With `needsCondition` a dataset alone is not enough,
 * so that a forgotten condition does not mean everything. @throws `http.validation_failed`
 */
export function readSelection(body: SelectionBody, options: { readonly needsCondition: boolean }): DocumentSelection {
  const { document_ids: ids, dataset_id: datasetId, where } = body;
  if (ids !== undefined && datasetId === undefined && where === undefined) {
    return { kind: 'ids', ids: [...new Set(ids.map((id) => id.toLowerCase()))] };
  }
  if (datasetId === undefined || ids !== undefined) throw validationFailed(problemsOfForm(body));
  const conditions = readConditions(where ?? {});
  if (options.needsCondition && Object.keys(conditions).length === 0) {
    const detail =
      'must name at least one condition; to remove everything delete the dataset, to remove what is deleted purge it';
    throw validationFailed([{ pointer: '/where', code: 'min_properties', detail }]);
  }
  return { kind: 'filter', datasetId: datasetId.toLowerCase() as DatasetId, conditions };
}

function problemsOfForm(body: SelectionBody): FieldProblem[] {
  const names = ['document_ids', 'dataset_id'] as const;
  const present = names.filter((name) => body[name] !== undefined);
  if (present.length === 2) {
    const detail = 'send either document_ids or dataset_id, not both';
    return present.map((name) => ({ pointer: `/${name}`, code: 'exclusive', detail }));
  }
  if (present.length === 1) {
    return [{ pointer: '/where', code: 'exclusive', detail: 'goes with dataset_id, not with document_ids' }];
  }
  const detail = 'send either document_ids or dataset_id';
  return names.map((name) => ({ pointer: `/${name}`, code: 'is_defined', detail }));
}

function readConditions(where: WhereBody): DocumentConditions {
  const { status, tag, policy_version_lt: version, created_before: before, metadata } = where;
  return {
    ...(status === undefined ? {} : { status }),
    ...(tag === undefined ? {} : { tag: toNormalForm(tag, 'NFC') }),
    ...(version === undefined ? {} : { policyVersionLt: version }),
    ...(before === undefined ? {} : { createdBefore: readMoment(before, '/where/created_before') }),
    ...(metadata === undefined ? {} : { metadata: requireKeys(metadata, '/where/metadata') }),
  };
}

function readMoment(text: string, pointer: string): Date {
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw validationFailed([{ pointer, code: 'is_rfc3339', detail: 'must be a moment that exists' }]);
}

function requireKeys(metadata: JsonObject, pointer: string): JsonObject {
  if (Object.keys(metadata).length > 0) return metadata;
  throw validationFailed([{ pointer, code: 'min_properties', detail: 'must name at least one key' }]);
}
