import { defineObjectStorage } from '../define-object-storage.js';

/** Files below DATA_DIR. */
export const filesystem = defineObjectStorage({
  kind: 'filesystem',
  settings: {},
  processes: 'shared-folder',
  packages: [],
  open: async (_values, { directory }) =>
    (await import('./filesystem-object-storage.js')).FilesystemObjectStorage.open(directory),
});
