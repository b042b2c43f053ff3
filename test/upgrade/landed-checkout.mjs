/** A former version of the service, taken from the history of this checkout, installed and built in a folder of its own. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL_MS = 10 * 60_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** False in a checkout without this commit, for instance a shallow one. */
export function isInHistory(commit) {
  return spawnSync('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]).status === 0;
}

/** Whether a commit has the same dependencies as this checkout, those of `packages` included. */
function needsTheSame(commit) {
  const given = ['.npmrc', 'package-lock.json', 'packages'];
  return spawnSync('git', ['-C', root, 'diff', '--quiet', commit, '--', ...given]).status === 0;
}

/** Resolves to the folder of the built version and to a function that removes it. */
export async function buildLanded(commit) {
  const folder = await mkdtemp(join(tmpdir(), 'kb-landed-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'sources.tar');
    await run('git', ['-C', root, 'archive', '--output', archive, commit]);
    const inFolder = { cwd: folder, timeout: INSTALL_MS, maxBuffer: OUTPUT_BYTES };
    await run('tar', ['-xf', archive], inFolder);
    if (needsTheSame(commit)) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    else await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], inFolder);
    await run('npm', ['run', 'build'], inFolder);
    return { entry: join(folder, 'dist/src/main.js'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
