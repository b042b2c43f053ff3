import { isUuid, type FieldProblem, type JsonObject } from '#libs/common';
import { validationFailed, type JsonBounds } from '#libs/http';
import { ON_SAME_NAME, type OnSameName } from '../../datasets/index.js';
import { normaliseTags, problemsOfMetadata, problemsOfTags } from '../record/document-facts.js';
import { readPaths } from '../record/document-path.js';
import { parseJsonField } from './upload-field.js';

/** What happens to a file whose content the dataset already has. */
export const ON_DUPLICATE = ['reject', 'skip', 'new_revision', 'keep_both'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

/** The fields of an upload's form beside its files. */
export const UPLOAD_FIELDS = ['dataset_id', 'metadata', 'tags', 'path', 'on_duplicate', 'on_same_name'];

/** The options of an upload. */
export interface UploadOptions {
  readonly datasetId: string;
  /** Undefined: none were sent, so a new revision keeps those of its document. */
  readonly metadata: JsonObject | undefined;
  readonly tags: readonly string[] | undefined;
  readonly onDuplicate: OnDuplicate;
  /** Undefined: the setting of the dataset applies. */
  readonly onSameName: OnSameName | undefined;
  /** One for each file, in the order of the files; undefined: none were sent. */
  readonly paths: readonly (string | null)[] | undefined;
}

type Fields = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the fields of a form with this number of files. They are validated together, so that one error lists all problems. @throws
 * `http.validation_failed`
 */
export function readUploadOptions(fields: Fields, bounds: JsonBounds, files: number): UploadOptions {
  const problems: FieldProblem[] = [];
  const single = (name: string): string | undefined => {
    const values = fields.get(name) ?? [];
    if (values.length > 1) problems.push({ pointer: `/${name}`, code: 'is_single', detail: 'must be sent once' });
    return values[0];
  };
  const choice = <T extends string>(name: string, values: readonly T[]): T | undefined => {
    const wanted = single(name)?.trim();
    const found = values.find((value) => value === wanted);
    if (wanted !== undefined && found === undefined) {
      problems.push({ pointer: `/${name}`, code: 'is_in', detail: `must be one of ${values.join(', ')}` });
    }
    return found;
  };
  const datasetId = single('dataset_id')?.trim();
  if (datasetId === undefined) {
    problems.push({ pointer: '/dataset_id', code: 'required', detail: 'dataset_id is missing' });
  } else if (!isUuid(datasetId)) {
    problems.push({ pointer: '/dataset_id', code: 'is_uuid', detail: 'must be the id of a dataset' });
  }
  const { metadata, tags, problems: ofFacts } = readFacts(fields, single('metadata'), bounds);
  const { paths, problems: ofPaths } = readPaths(fields.get('path'), files);
  problems.push(...ofFacts, ...ofPaths);
  const onDuplicate = choice('on_duplicate', ON_DUPLICATE) ?? 'reject';
  const onSameName = choice('on_same_name', ON_SAME_NAME);
  if (problems.length > 0 || datasetId === undefined) throw validationFailed(problems);
  return { datasetId: datasetId.toLowerCase(), metadata, tags, onDuplicate, onSameName, paths };
}

function readFacts(
  fields: Fields,
  sentMetadata: string | undefined,
  bounds: JsonBounds,
): Pick<UploadOptions, 'metadata' | 'tags'> & { readonly problems: readonly FieldProblem[] } {
  const parsed = parseJsonField('/metadata', sentMetadata, bounds);
  const metadata = 'problem' in parsed ? undefined : parsed.value;
  const sentTags = fields.get('tags');
  const tags = sentTags === undefined ? undefined : normaliseTags(sentTags);
  const problems = [
    ...('problem' in parsed ? [parsed.problem] : []),
    ...(metadata === undefined ? [] : problemsOfMetadata(metadata)),
    ...problemsOfTags(tags ?? []),
  ];
  return { metadata, tags, problems };
}
