/** Python packages for a script that needs them, in virtual environments of the user's cache folder (or in ENGINES_CACHE). */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './engines/machine.ts';

/** This machine has no python3 with venv, or no package index that gives what is needed. */
export class PythonUnavailable extends Error {}

/** Resolves to the path of a Python that has `packages` (as pip names them). @throws PythonUnavailable */
export async function preparePython(name, packages) {
  const folder = join(await cacheFolder(), name);
  const [python, pip] = [join(folder, 'bin', 'python'), join(folder, 'bin', 'pip')];
  // One that was left half made has no pip.
  if (!existsSync(pip)) run('there is no python3 with venv', 'python3', ['-m', 'venv', '--clear', folder]);
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  run(`no package index gave ${packages.join(' and ')}`, python, install);
  return python;
}

function run(reason, program, options) {
  try {
    execFileSync(program, options, { stdio: 'inherit' });
  } catch (cause) {
    throw new PythonUnavailable(reason, { cause });
  }
}
