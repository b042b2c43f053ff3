import { defineEvent } from '#libs/events';

export interface DatasetDeleted {
  readonly dataset_id: string;
  /** Numbers of documents, chunks and files at the time of the request. */
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
  readonly deletion_id: string;
}

/** A dataset was deleted: lists and searches no longer show it and its documents; its storage is freed in the background. */
export const DATASET_DELETED = defineEvent<DatasetDeleted>({
  type: 'dataset.deleted',
  version: 1,
  publisher: 'datasets',
  subject: 'dataset_id',
});
