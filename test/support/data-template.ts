import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What one user has made another may not read. */
const TEMPLATES = join(ROOT, `.cache/data-templates-${process.getuid?.() ?? 0}`);
/** Of the database in a data folder. */
const DATABASE = 'postgres';

let template: Promise<string | undefined> | undefined;

/**
 * A data folder whose database is made and migrated, for services to begin with: a copy of it costs a tenth of what `initdb` and all
 * migrations do. Made by `npm run migrate` itself, once for every build. Undefined where PostgreSQL's user cannot reach the temporary
 * folder: the database then lives outside every data folder.
 */
export function findDataTemplate(): Promise<string | undefined> {
  return (template ??= find());
}

/** Copies it, where there is one, into a data folder that is empty. */
export async function bringData(dataFolder: string): Promise<void> {
  const source = await findDataTemplate();
  if (source !== undefined) await run('cp', ['-a', join(source, DATABASE), dataFolder]);
}

async function find(): Promise<string | undefined> {
  const stamp = await readFile(join(ROOT, 'dist/.build-stamp'), 'utf8').catch(() => undefined);
  // Built in another way: nothing says when a template is old.
  if (stamp === undefined) return undefined;
  const path = join(TEMPLATES, stamp);
  if (!existsSync(path)) await make(stamp, path);
  return existsSync(join(path, DATABASE, 'cluster')) ? path : undefined;
}

async function make(stamp: string, path: string): Promise<void> {
  await mkdir(TEMPLATES, { recursive: true });
  for (const other of await readdir(TEMPLATES)) {
    if (!other.startsWith(stamp)) await rm(join(TEMPLATES, other), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(tmpdir(), 'kb-template-'));
  const draft = await mkdtemp(`${path}.draft-`);
  try {
    // Under root PostgreSQL runs as another user, which must be able to walk through.
    await chmod(folder, 0o711);
    await run(process.execPath, [join(ROOT, 'dist/src/cli/migrate.js')], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data') },
    });
    // With owners and modes.
    await run('cp', ['-a', join(folder, 'data', DATABASE), draft]);
    await rename(draft, path);
  } catch (error) {
    // Another process was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await Promise.all([folder, draft].map((left) => rm(left, { recursive: true, force: true })));
  }
}
