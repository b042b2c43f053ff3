import { defineTask, withoutPayload } from '#libs/tasks';

/** What has to happen outside the database: rows of a generation or a stored file go, or rows learn what is said of their document. */
export type StoreIntentKind = 'remove_generation' | 'remove_blob' | 'update_metadata';

/** Tenants whose intents of a kind one worker process carries out at once. */
const CONCURRENCY = 2;

const OF_INTENTS = {
  parse: withoutPayload,
  concurrency: CONCURRENCY,
  mostTries: null,
  onePerTenant: true,
  isRoutine: true,
  longestUnit: '200 intents',
} as const;

/** Tells the vector store what is true of documents of the tenant by now. */
export const METADATA_SYNC = defineTask({ kind: 'metadata_sync', ...OF_INTENTS });

/** Takes generations of the tenant's documents out of the vector store that nothing shows and no one writes. */
export const GENERATION_REMOVAL = defineTask({ kind: 'generation_removal', ...OF_INTENTS });

/** Removes stored files of the tenant that no revision has. */
export const FILE_REMOVAL = defineTask({ kind: 'file_removal', ...OF_INTENTS });

/** The task that carries out a tenant's intents of a kind. */
export const INTENT_TASKS = {
  update_metadata: METADATA_SYNC,
  remove_generation: GENERATION_REMOVAL,
  remove_blob: FILE_REMOVAL,
} as const satisfies Record<StoreIntentKind, object>;
