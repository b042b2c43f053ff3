import { defineVectorStore } from '../../define-vector-store.js';

/** LanceDB in this process. */
export const lancedb = defineVectorStore({
  kind: 'embedded',
  settings: {},
  processes: 'one',
  packages: ['@lancedb', 'apache-arrow'],
  open: async (_values, { directory }) => (await import('./open-lancedb-store.js')).openLanceDbStore({ directory }),
});
