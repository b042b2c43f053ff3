import { defineTask, withoutPayload } from '#libs/tasks';

/** Kinds of changes outside the database: remove the rows of a generation, remove a stored file, or write new metadata to rows. */
export type StoreIntentKind = 'remove_generation' | 'remove_blob' | 'update_metadata';

/** Number of tenants whose intents of one kind a worker process carries out at once. */
const CONCURRENCY = 2;

const OF_INTENTS = {
  parse: withoutPayload,
  concurrency: CONCURRENCY,
  mostTries: null,
  onePerTenant: true,
  isRoutine: true,
  longestUnit: '200 intents',
} as const;

/** Writes the present metadata of the tenant's documents to the vector store. */
export const METADATA_SYNC = defineTask({ kind: 'metadata_sync', ...OF_INTENTS });

/** Removes from the vector store those generations of the tenant's documents that are neither shown nor being written. */
export const GENERATION_REMOVAL = defineTask({ kind: 'generation_removal', ...OF_INTENTS });

/** Removes stored files of the tenant that belong to no revision. */
export const FILE_REMOVAL = defineTask({ kind: 'file_removal', ...OF_INTENTS });

/** The task that carries out a tenant's intents of a kind. */
export const INTENT_TASKS = {
  update_metadata: METADATA_SYNC,
  remove_generation: GENERATION_REMOVAL,
  remove_blob: FILE_REMOVAL,
} as const satisfies Record<StoreIntentKind, object>;
