/**
 * Builds the console's files: `node scripts/build-console.mjs FINGERPRINT FOLDER`. What was built from the same sources before is taken from
 * `.cache/console`. Beside each text file its compressed forms (.br, .gz); `console.json` names what the page needs.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'console');
const CACHE = join(ROOT, '.cache/console');
/** Name of the file that says what the page begins with. */
const CONTENTS = 'console.json';
const ENTRY = 'src/main.tsx';
/** Where the code of screens is. */
const SCREENS = 'src/screens/';
/** Those with `light-dark()`, which both themes are made of. */
const BROWSERS = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];
const COMPRESSED = /\.(m?js|css|svg|json)$/;
/** Languages of the console; react-aria's words for screen readers are kept in these. */
const LANGUAGES = ['en-US', 'de-DE'];

/** Options of Vite for the build and for the server with hot reload. All addresses are relative: a proxy may have the service below a path of its own. */
export async function viteOptions() {
  const { default: react } = await import('@vitejs/plugin-react');
  return {
    root: SOURCES,
    configFile: false,
    base: './',
    cacheDir: join(ROOT, '.cache/vite'),
    plugins: [react(), messages(), ownLanguages()],
    css: { transformer: 'lightningcss' },
    // Beside the other files, for only those are served.
    worker: {
      format: 'es',
      rolldownOptions: { output: { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' } },
    },
  };
}

/** `virtual:texts/de`: the messages of `console/src/texts/de.json`, read by ICU's rules when it is built, not in the browser. */
function messages() {
  const name = 'virtual:texts/';
  return {
    name: 'console-texts',
    resolveId: (id) => (id.startsWith(name) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${name}`)) return undefined;
      const { compileMessage } = await import('@lingui/message-utils/compileMessage');
      const file = join(SOURCES, `src/texts/${id.slice(name.length + 1)}.json`);
      this.addWatchFile(file);
      const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
      return `export default ${JSON.stringify(Object.fromEntries(texts.map(([key, text]) => [key, compileMessage(text)])))}`;
    },
  };
}

/** Leaves out react-aria's words in thirty languages that the console does not have. */
function ownLanguages() {
  const file = /[\\/]intl[\\/].*?([a-z]{2}-[A-Z]{2})\.m?js$/;
  return {
    name: 'console-languages',
    enforce: 'pre',
    load(id) {
      const language = file.exec(id.split('?', 1)[0])?.[1];
      return language === undefined || LANGUAGES.includes(language) ? undefined : 'export default {}';
    },
  };
}

async function build(folder) {
  const { build: viteBuild } = await import('vite');
  const options = await viteOptions();
  const made = await viteBuild({
    ...options,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: BROWSERS,
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(SOURCES, ENTRY),
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
        },
      },
    },
  });
  void made;
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  rmSync(join(folder, 'manifest.json'));
  const entry = manifest[ENTRY];
  const first = [entry, ...entryImports(manifest, entry)];
  const files = readdirSync(folder).toSorted();
  const contents = {
    script: entry.file,
    styles: first.flatMap(({ css }) => css ?? []),
    preload: first.slice(1).map(({ file }) => file),
    screens: screensOf(manifest, first),
    files,
  };
  for (const file of files) if (COMPRESSED.test(file)) compress(join(folder, file));
  writeFileSync(join(folder, CONTENTS), JSON.stringify(contents));
}

/** What each screen loads when it is opened, beside what the page begins with. What a screen loads on demand itself, as the viewer of PDFs, is none. */
function screensOf(manifest, first) {
  const isFirst = new Set(first);
  const demanded = new Set(first.flatMap(({ dynamicImports }) => dynamicImports ?? []));
  const screens = [...demanded].filter((name) => name.startsWith(SCREENS));
  return Object.fromEntries(
    screens.map((name) => {
      const loaded = [manifest[name], ...entryImports(manifest, manifest[name])].filter((part) => !isFirst.has(part));
      return [name.replace(/^.*\/|\.tsx$/g, ''), loaded.flatMap(({ file, css }) => [file, ...(css ?? [])])];
    }),
  );
}

/** What an entry loads at once, with all that this loads. */
function entryImports(manifest, entry, known = new Set()) {
  for (const name of entry.imports ?? []) {
    if (known.has(name)) continue;
    known.add(name);
    entryImports(manifest, manifest[name], known);
  }
  return [...known].map((name) => manifest[name]);
}

function compress(file) {
  const content = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}

async function buildInto(fingerprint, folder) {
  const kept = join(CACHE, fingerprint);
  if (!existsSync(join(kept, CONTENTS))) {
    process.stderr.write('Building the console …\n');
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    const making = `${kept}.part`;
    await build(making);
    renameSync(making, kept);
  }
  rmSync(folder, { recursive: true, force: true });
  cpSync(kept, folder, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [fingerprint, folder] = process.argv.slice(2);
  await buildInto(fingerprint, folder);
}
