import { toNormalForm } from '#libs/common';
import type { DatasetId, FieldProblem, JsonObject } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { DocumentStatusName } from '../record/document.entity.js';

/** Conditions on the documents of a dataset; all of them must hold. */
export interface DocumentConditions {
  readonly status?: DocumentStatusName;
  readonly tag?: string;
  /** Upper bound (exclusive) of the policy version that the shown chunks were made with, or of the latest attempt if none are shown. */
  readonly policyVersionLt?: number;
  readonly createdBefore?: Date;
  /** Top-level keys of the metadata with their exact values. */
  readonly metadata?: JsonObject;
}

/** Documents of a batch. */
export type DocumentSelection =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'filter'; readonly datasetId: DatasetId; readonly conditions: DocumentConditions };

/** The body of a batch; each field has already been validated by itself. */
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
 * The documents that a body selects, by ids or by a dataset, never both. With `needsCondition` a dataset alone is refused, so that a
 * forgotten condition does not select every document. @throws `http.validation_failed`
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
      'must have at least one condition; to remove all documents, delete the dataset; to remove the data of deleted documents, purge it';
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
    return [{ pointer: '/where', code: 'exclusive', detail: 'must be sent with dataset_id, not document_ids' }];
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
  throw validationFailed([{ pointer, code: 'is_rfc3339', detail: 'must be a date and time that exist' }]);
}

function requireKeys(metadata: JsonObject, pointer: string): JsonObject {
  if (Object.keys(metadata).length > 0) return metadata;
  throw validationFailed([{ pointer, code: 'min_properties', detail: 'must name at least one key' }]);
}
