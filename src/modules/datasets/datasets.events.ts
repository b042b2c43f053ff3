import { defineEvent } from '#libs/events';

export interface DatasetDeleted {
  readonly dataset_id: string;
  /** The documents, chunks and files that there were when the removal was asked for. */
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
  readonly deletion_id: string;
}

/** A dataset is gone from lists and search, with its documents; its storage is cleaned in the background. */
export const DATASET_DELETED = defineEvent<DatasetDeleted>({
  type: 'dataset.deleted',
  version: 1,
  publisher: 'datasets',
  subject: 'dataset_id',
});
