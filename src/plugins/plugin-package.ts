import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';

/** The folder of the service: the one with its package.json, whether it runs from sources or as a build. */
const SERVICE = findServiceFolder(dirname(fileURLToPath(import.meta.url)));
const { name: SERVICE_NAME, version: SERVICE_VERSION } = readPackage(SERVICE);

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** An installed package whose name is in PLUGINS. */
export class PluginPackage {
  private readonly file: PackageFile;

  private constructor(
    readonly name: string,
    /** Where it lies, links followed. */
    readonly folder: string,
    /** The folder whose modules hold it: from there its name leads to it. */
    readonly holder: string,
  ) {
    this.file = readPackage(folder);
  }

  /** Looks beside the service and in the folders above, then the same way from the working directory. Nothing is fetched. */
  static find(name: string): PluginPackage | undefined {
    for (const start of [SERVICE, process.cwd()]) {
      for (let folder = start; ; folder = dirname(folder)) {
        const candidate = join(folder, 'node_modules', name);
        if (existsSync(join(candidate, 'package.json'))) {
          return new PluginPackage(name, realpathSync(candidate), folder);
        }
        if (folder === dirname(folder)) break;
      }
    }
    return undefined;
  }

  /** Reasons for which it cannot be part of this service: another version is asked for, or it brings libraries that must be shared. */
  problems(): string[] {
    const { peerDependencies = {} } = this.file;
    const range = peerDependencies[SERVICE_NAME];
    if (range === undefined) return [`its package.json must name ${SERVICE_NAME} among the peerDependencies`];
    const problems: string[] = [];
    if (!semver.satisfies(SERVICE_VERSION, range, { includePrerelease: true })) {
      problems.push(`it is made for ${SERVICE_NAME} ${range}, and this is ${SERVICE_VERSION}`);
    }
    const require = createRequire(join(this.folder, 'package.json'));
    const own = createRequire(join(SERVICE, 'package.json'));
    for (const peer of Object.keys(peerDependencies).filter((name) => name !== SERVICE_NAME)) {
      const [theirs, ours] = [folderOf(require, peer), folderOf(own, peer)];
      if (theirs !== undefined && ours !== undefined && theirs !== ours) {
        problems.push(`it would use another copy of ${peer} (${theirs}) than the service (${ours})`);
      }
    }
    return problems;
  }
}

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}

function findServiceFolder(start: string): string {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error('The package.json of the service is missing.');
}

/** The folder that a package is loaded from, for anyone who requires it; undefined when it is not installed there. */
function folderOf(require: NodeJS.Require, name: string): string | undefined {
  for (const modules of require.resolve.paths(name) ?? []) {
    if (existsSync(join(modules, name, 'package.json'))) return realpathSync(join(modules, name));
  }
  return undefined;
}
