import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ModelProof } from '#libs/ai';
import type { InstalledFile } from './checksums.js';
import { ModelError } from './model.errors.js';

/** Is in each folder that was installed. */
export const MANIFEST = 'model-manifest.json';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Where a model came from, and what was written. */
export interface ModelManifest {
  readonly name: string;
  readonly source: string;
  /** ISO 8601. */
  readonly installed_at: string;
  readonly use: ModelProof['use'];
  /** Length of its vectors, of an embedding model. */
  readonly dimensions?: number;
  readonly files: readonly InstalledFile[];
}

/** The folder `DATA_DIR/models`. Names of models are names of folders; what begins with a dot is under way. */
export class InstalledModels {
  constructor(readonly folder: string) {}

  /** @throws ModelError for a name that is no folder's */
  pathOf(name: string): string {
    if (NAME.test(name)) return join(this.folder, name);
    throw new ModelError(
      `${JSON.stringify(name)} cannot be the name of a model: it needs 1 to 100 letters, digits, dots, "-" or "_", a letter or digit first. Say --name NAME.`,
    );
  }

  /** Where the model lies until it is whole. */
  unfinishedPathOf(name: string): string {
    this.pathOf(name);
    return join(this.folder, `.unfinished-${name}`);
  }

  has(name: string): boolean {
    return existsSync(this.pathOf(name));
  }

  /** Everything that is installed, by name; the manifest is null for a folder that someone else put there. */
  async list(): Promise<readonly { readonly name: string; readonly manifest: ModelManifest | null }[]> {
    if (!existsSync(this.folder)) return [];
    const entries = await readdir(this.folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory() && NAME.test(entry.name)).map(({ name }) => name);
    return Promise.all(names.toSorted().map(async (name) => ({ name, manifest: await this.manifestOf(name) })));
  }

  /** Puts what lies in the unfinished folder in its place. An existing model goes only when the new one is there. */
  async finish(manifest: ModelManifest): Promise<string> {
    const { name } = manifest;
    const [unfinished, path, former] = [this.unfinishedPathOf(name), this.pathOf(name), this.formerPathOf(name)];
    await writeFile(join(unfinished, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    const replaces = this.has(name);
    if (replaces) await rename(path, former);
    try {
      await rename(unfinished, path);
    } catch (error) {
      if (replaces) await rename(former, path);
      throw error;
    }
    await rm(former, { recursive: true, force: true });
    return path;
  }

  /** Brings back a model whose replacement was killed between two renames, and clears what such a replacement left. */
  async recover(name: string): Promise<void> {
    const former = this.formerPathOf(name);
    if (!existsSync(former)) return;
    if (this.has(name)) await rm(former, { recursive: true });
    else await rename(former, this.pathOf(name));
  }

  /** @throws ModelError when there is none, or one of the `used` folders is it */
  async remove(name: string, used: readonly (readonly [setting: string, path: string])[]): Promise<void> {
    const path = this.pathOf(name);
    if (!existsSync(path)) throw new ModelError(`There is no model ${name} in ${this.folder}.`);
    for (const [setting, other] of used) {
      if ((await samePlace(other)) === (await samePlace(path))) {
        throw new ModelError(`${setting} names ${path}. Set another model first.`);
      }
    }
    // Hidden first, so that no one opens half a model.
    const hidden = this.unfinishedPathOf(name);
    await rm(hidden, { recursive: true, force: true });
    await rename(path, hidden);
    await rm(hidden, { recursive: true });
  }

  private formerPathOf(name: string): string {
    return join(this.folder, `.former-${name}`);
  }

  private async manifestOf(name: string): Promise<ModelManifest | null> {
    const path = join(this.pathOf(name), MANIFEST);
    if (!existsSync(path)) return null;
    try {
      return JSON.parse(await readFile(path, 'utf8')) as ModelManifest;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }
}

/** Links resolved where there is something. */
function samePlace(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
