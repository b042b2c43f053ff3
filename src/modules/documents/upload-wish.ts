import { isUuid, type FieldProblem, type JsonObject } from '#libs/common';
import { validationFailed, type JsonBounds } from '#libs/http';
import { normaliseTags, problemsOfMetadata, problemsOfTags } from './document-facts.js';
import { parseJsonField } from './upload-field.js';

/** What becomes of a file whose content the dataset holds already. */
export const ON_DUPLICATE = ['reject', 'skip', 'new_revision', 'keep_both'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

/** The fields of an upload's form beside its files. */
export const UPLOAD_FIELDS = ['dataset_id', 'metadata', 'tags', 'on_duplicate'];

/** What the sender of one or more files wants. */
export interface UploadWish {
  readonly datasetId: string;
  /** Undefined: none were sent, so that a new revision keeps those of its document. */
  readonly metadata: JsonObject | undefined;
  readonly tags: readonly string[] | undefined;
  readonly onDuplicate: OnDuplicate;
}

/** The form's fields, checked together, so that one answer names every problem. @throws `http.validation_failed` */
export function readUploadWish(fields: ReadonlyMap<string, readonly string[]>, bounds: JsonBounds): UploadWish {
  const problems: FieldProblem[] = [];
  const single = (name: string): string | undefined => {
    const values = fields.get(name) ?? [];
    if (values.length > 1) problems.push({ pointer: `/${name}`, code: 'is_single', detail: 'must be sent once' });
    return values[0];
  };
  const datasetId = single('dataset_id')?.trim();
  if (datasetId === undefined) {
    problems.push({ pointer: '/dataset_id', code: 'required', detail: 'dataset_id is missing' });
  } else if (!isUuid(datasetId)) {
    problems.push({ pointer: '/dataset_id', code: 'is_uuid', detail: 'must be the id of a dataset' });
  }
  const parsed = parseJsonField('/metadata', single('metadata'), bounds);
  const metadata = 'problem' in parsed ? undefined : parsed.value;
  if ('problem' in parsed) problems.push(parsed.problem);
  if (metadata !== undefined) problems.push(...problemsOfMetadata(metadata));
  const sentTags = fields.get('tags');
  const tags = sentTags === undefined ? undefined : normaliseTags(sentTags);
  problems.push(...problemsOfTags(tags ?? []));
  const wanted = single('on_duplicate')?.trim() ?? 'reject';
  const onDuplicate = ON_DUPLICATE.find((value) => value === wanted);
  if (onDuplicate === undefined) {
    problems.push({ pointer: '/on_duplicate', code: 'is_in', detail: `must be one of ${ON_DUPLICATE.join(', ')}` });
  }
  if (problems.length > 0 || datasetId === undefined || onDuplicate === undefined) throw validationFailed(problems);
  return { datasetId: datasetId.toLowerCase(), metadata, tags, onDuplicate };
}
