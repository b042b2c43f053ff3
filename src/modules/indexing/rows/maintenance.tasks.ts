import type { JsonObject } from '#libs/common';
import { defineTask, withoutPayload } from '#libs/tasks';

/** `npm run reindex`: makes the active vector store equal to the shown chunks in PostgreSQL. */
export const REINDEX = defineTask({
  kind: 'reindex',
  longestUnit: 'one round over the installation, for no tenant',
  mostTries: null,
  needsSpace: true,
  parse: withoutPayload,
});

/** Moves the installation to another vector store, or ends such a move. */
export type StoreMovePayload = { readonly to: string } | { readonly finish: true };

/** `npm run reindex -- --to STORE` and `-- --finish`. */
export const STORE_MOVE = defineTask<StoreMovePayload>({
  kind: 'store_move',
  longestUnit: 'one round over the installation, for no tenant',
  mostTries: null,
  needsSpace: true,
  parse: ({ to, finish }: JsonObject) => {
    if (finish === true) return { finish };
    if (typeof to !== 'string') throw new TypeError('to must name a vector store.');
    return { to };
  },
});

/** `npm run reembed`: re-embeds every dataset whose vectors are of another model. */
export const REEMBEDDING_OF_ALL = defineTask({
  kind: 'reembedding_of_all',
  longestUnit: 'one round over the installation, for no tenant',
  mostTries: null,
  needsSpace: true,
  parse: withoutPayload,
});

/** `npm run reconcile`, and every RECONCILE_MINUTES: compares rows of the database, vectors and files. */
export const RECONCILIATION = defineTask({
  kind: 'reconciliation',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: ({ reconcileMinutes }) => reconcileMinutes * 60,
});

const UPLOAD_SWEEP_SECONDS = 600;

/** Every ten minutes: removes what interrupted uploads left in the storage. */
export const UPLOAD_SWEEP = defineTask({
  kind: 'upload_sweep',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => UPLOAD_SWEEP_SECONDS,
});
