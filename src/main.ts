/** The entry. Imports nothing at load, so that a runtime that is too old is told so instead of failing on newer syntax. */
const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < NEEDED) {
  process.stderr.write(
    `This service needs Node ${NEEDED}, and runs on ${process.version}. "npm ci" brings Node ${NEEDED} along and "npm start" uses it; ` +
      'after "npm ci --ignore-scripts" it is missing: run "npm ci" again with install scripts allowed.\n',
  );
  process.exit(1);
}

// Threads for files: uploads wait for the disk, eight at a time and more. Read when the first of them is needed, at the next import.
process.env['UV_THREADPOOL_SIZE'] ??= '12';

// Compiled code is kept beside the build: the second start is faster. Where the folder cannot be written nothing is kept.
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache(new URL('../.compile-cache', import.meta.url).pathname);

// The same modules in a few files are read faster; `nest start --watch` does not make them. Plugins share packages with the service: for them
// these stay outside of the files.
const { existsSync, readFileSync } = await import('node:fs');
const folder = namesPlugins() ? 'service-with-plugins' : 'service';
const bundle = new URL(`../${folder}/run-service.js`, import.meta.url);
const { runService } = (
  existsSync(bundle) ? await import(bundle.href) : await import('./app/run-service.js')
) as typeof import('./app/run-service.js');
await runService();
// At its end a process that is killed could keep nothing.
flushCompileCache();

/** Whether there may be plugins. What reads the settings decides, and says what is wrong with the file; of UTF-16 the zeros and the mark in front are left out. */
function namesPlugins(): boolean {
  if (process.env['PLUGINS']?.trim()) return true;
  try {
    return /^[\s\uFFFD]*(?:export\s+)?PLUGINS[ \t]*=[ \t]*\S/m.test(readFileSync('.env', 'utf8').replaceAll('\0', ''));
  } catch {
    return false;
  }
}

export {};
