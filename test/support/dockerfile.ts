import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Stage {
  readonly base: string;
  readonly alias: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Comments go, continued lines become one. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  const stages: { base: string; alias: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    const [, base, alias] = name === 'FROM' ? (/^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []) : [];
    if (base !== undefined) stages.push({ base, alias, instructions: [] });
    else if (name !== '') stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** Whether an ignore file lets a path of the context in. The last pattern that fits it, or a folder above, decides. */
export function isLetIn(ignoreFile: string, path: string): boolean {
  const parts = path.split('/');
  const ways = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const patterns = ignoreFile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const last = patterns.findLast((pattern) => ways.some((way) => asRegExp(pattern.replace(/^!/, '')).test(way)));
  return last === undefined || last.startsWith('!');
}

function asRegExp(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('**', '.*')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}$`);
}

export interface Replay {
  readonly context: string;
  readonly ignoreFile: string;
  /** Empty; each stage gets a folder in it. */
  readonly folder: string;
  /** Runs what RUN says, in a folder. */
  readonly run: (command: string, cwd: string) => Promise<void>;
}

/** Plays COPY, and RUN where Node is asked for (`npm`), of all stages; gives the root of the last one. */
export async function replay(stages: readonly Stage[], options: Replay): Promise<string> {
  let root = '';
  for (const [index, { alias, instructions }] of stages.entries()) {
    root = join(options.folder, alias ?? String(index));
    let cwd = root;
    await mkdir(root, { recursive: true });
    for (const { name, rest } of instructions) {
      if (name === 'WORKDIR') await mkdir((cwd = join(root, rest)), { recursive: true });
      if (name === 'COPY') await copy(rest, cwd, options);
      if (name === 'RUN' && /\bnpm\b/.test(rest)) await options.run(rest, cwd);
    }
  }
  return root;
}

async function copy(rest: string, cwd: string, { context, ignoreFile, folder }: Replay): Promise<void> {
  const words = rest.split(/\s+/);
  const stage = /^--from=(\S+)$/.exec(words[0]!)?.[1];
  const paths = stage === undefined ? words : words.slice(1);
  const target = paths.at(-1)!;
  for (const path of paths.slice(0, -1)) {
    const from = join(stage === undefined ? context : join(folder, stage), path);
    const isFolder = (await stat(from)).isDirectory();
    const to = join(cwd, target, isFolder || !target.endsWith('/') ? '' : basename(path));
    const filter = (file: string): boolean => stage !== undefined || isLetIn(ignoreFile, relative(context, file));
    if (stage !== undefined) await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else if (isFolder) await copyFiles(from, to, filter, rest);
    else if (filter(from)) await cp(from, to);
    else throw new Error(`COPY ${rest}: the ignore file keeps ${path} out`);
  }
}

/** Only files count: a folder of which nothing is let in is none. */
async function copyFiles(from: string, to: string, filter: (file: string) => boolean, rest: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const wanted = files.filter(filter);
  if (wanted.length === 0) throw new Error(`COPY ${rest}: the ignore file lets nothing of it in`);
  for (const file of wanted) {
    const copied = join(to, relative(from, file));
    await mkdir(dirname(copied), { recursive: true });
    await cp(file, copied);
  }
}

/**
 * `npm ci` and `npm prune` in a replay: what is installed here is linked, and stays. `npm run build`: where the files that were let in are
 * those of the build here, byte for byte, it is taken; else they are built. Everything else of npm runs as it is.
 */
export const NPM_IN_REPLAY = `#!/bin/sh
PATH=$REPLAY_PATH
case $1 in
  prune) exit 0 ;;
  ci)
    mkdir node_modules node_modules/.bin
    ln -s "$REPLAY_CONTEXT"/node_modules/.bin/* node_modules/.bin/
    for package in "$REPLAY_CONTEXT"/node_modules/*; do
      name=\${package##*/}
      case $name in
        @*) mkdir "node_modules/$name" && ln -s "$package"/* "node_modules/$name/" ;;
        *) ln -s "$package" node_modules/ ;;
      esac
    done ;;
  run)
    [ "$*" = "run build" ] || exec npm "$@"
    cp -R "$REPLAY_CONTEXT/dist" dist
    exec node scripts/build-once.mjs ;;
  *) exec npm "$@" ;;
esac
`;

export async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

/** Exit code and everything that was written. */
export async function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<{ code: number; output: string }> {
  return promisify(execFile)(program, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    },
  );
}
