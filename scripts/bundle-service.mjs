/**
 * Joins the built modules of the service into a few files, `dist/service/`: `node scripts/bundle-service.mjs`. Node finds, reads and links one
 * file in place of some 1,700, which saves a fifth of a start. Packages stay outside, so that a plugin shares them with the service; what
 * is loaded on demand (formats, models, stores) stays in files of its own. The built modules stay too: programs of worker threads, child
 * processes and commands begin there.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = `${ROOT}dist/`;
const FOLDER = `${BUILT}service`;
/** Names of the files that begin: what `main.js` runs, and what a plugin imports. */
const ENTRIES = { 'run-service': `${BUILT}src/app/run-service.js`, extension: `${BUILT}src/extension.js` };
/** Its `../extension.js` is the one of the bundle: a plugin must get the classes that the service has. */
const PLUGIN_LOADER = `${BUILT}src/plugins/load-plugins.js`;
const OWN = /^(\.|\/|#libs\/)/;

/** A module goes on finding the files beside it: its address is the one that it was built at. */
const ownAddresses = {
  name: 'own-addresses',
  resolveId(id) {
    const lib = /^#libs\/(.*)$/.exec(id)?.[1];
    return lib === undefined ? undefined : `${BUILT}libs/${lib}/src/index.js`;
  },
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined;
    const address = id === PLUGIN_LOADER ? './plugins/load-plugins.js' : `../${relative(BUILT, id)}`;
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(address)}, import.meta.url).href`);
  },
};

const bundle = await rolldown({
  cwd: ROOT,
  input: ENTRIES,
  platform: 'node',
  external: (id) => !OWN.test(id),
  // A module may matter by being loaded alone: decorators register what they are on.
  treeshake: false,
  plugins: [ownAddresses],
});
// Names of classes are shown in logs and in the description of the interface.
await bundle.write({
  dir: FOLDER,
  format: 'esm',
  keepNames: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
