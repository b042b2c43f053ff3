import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { proveLocalModel, type LocalModelUse, type ModelProof } from '#libs/ai';
import { CatalogueError } from '#libs/common';
import { acquireFolderLock, FolderInUseError } from '#libs/process-lock';
import type { InstalledModels, ModelManifest } from './installed-models.js';
import { ModelError } from './model.errors.js';
import type { FetchOptions, ModelSource } from './model-source.js';
import { fetchIsStatic, maybeStatic, selectFiles, stageModel, type Selection } from './stage-model.js';

/** In an unfinished folder: where its files come from. */
const SOURCE_NOTE = '.source';
const RUNTIME_MISSING = 'ai.local_runtime_missing';

export interface Installation extends FetchOptions {
  readonly models: InstalledModels;
  readonly source: ModelSource;
  readonly name: string;
  /** Whether a model of that name may go. */
  readonly replace: boolean;
  /** Takes the quantized network of the source. */
  readonly quantized: boolean;
  /** Absent: as its files say. */
  readonly use?: LocalModelUse;
}

export interface InstalledModel {
  /** Absolute when the folder of models is. */
  readonly path: string;
  readonly manifest: ModelManifest;
  readonly proof: ModelProof;
}

/**
 * Installs a model: brings its files into a folder beside, tries it once, and renames the folder. Nothing is left of one that failed, except
 * what a later run goes on with. @throws ModelError, `ai.local_runtime_missing`
 */
export async function installModel(installation: Installation): Promise<InstalledModel> {
  const { models, source, name, quantized, signal } = installation;
  refuseExisting(installation);
  const offered = await source.list(signal);
  const select = (isStatic: boolean): Selection => selectFiles(source.address, offered, { quantized, isStatic });
  const selected = maybeStatic(offered) ? undefined : select(false);
  return withFolder(models, async () => {
    await models.recover(name);
    refuseExisting(installation);
    const folder = models.unfinishedPathOf(name);
    try {
      await prepare(folder, source);
      const selection = selected ?? select(await fetchIsStatic(source, offered, folder, installation));
      const files = await stageModel(source, offered, selection, folder, installation);
      const proof = await prove(folder, installation);
      signal.throwIfAborted();
      const dimensions = proof.use === 'embedding' ? { dimensions: proof.dimensions } : {};
      const about = { name, source: source.address, installed_at: new Date().toISOString() };
      const manifest: ModelManifest = { ...about, use: proof.use, ...dimensions, files };
      return { path: await models.finish(manifest), manifest, proof };
    } catch (error) {
      if (source.resumable && isWorthKeeping(error)) {
        installation.progress.say('What has come is kept: the same command goes on from there.');
      } else await rm(folder, { recursive: true, force: true });
      throw error;
    }
  });
}

function refuseExisting({ models, name, replace }: Installation): void {
  if (models.has(name) && !replace) {
    throw new ModelError(
      `There is a model ${name} in ${models.folder} already. Say --replace, or --name for another name.`,
    );
  }
}

/** Runs while no other process installs or removes. The folder is made for it, and goes again when nothing stays in it. */
export async function withFolder<T>({ folder }: InstalledModels, work: () => Promise<T>): Promise<T> {
  const created = await mkdir(folder, { recursive: true });
  const lock = await acquireFolderLock(folder).catch((error: unknown) => {
    if (error instanceof FolderInUseError) {
      throw new ModelError(`Models are being installed or removed by ${error.owner}. Wait until it has ended.`);
    }
    throw error;
  });
  try {
    return await work();
  } finally {
    await lock.release();
    await removeEmpty(folder, created ?? folder);
  }
}

async function removeEmpty(folder: string, top: string): Promise<void> {
  for (let at = folder; (await readdir(at)).length === 0; at = dirname(at)) {
    await rmdir(at);
    if (at === top) return;
  }
}

/** An empty folder, or what a former run brought from the same place. */
async function prepare(folder: string, source: ModelSource): Promise<void> {
  const note = join(folder, SOURCE_NOTE);
  const former = existsSync(note) ? await readFile(note, 'utf8') : undefined;
  if (!source.resumable || former !== source.address) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(note, source.address);
}

async function prove(folder: string, { source, use, progress }: Installation): Promise<ModelProof> {
  progress.say('Trying the model …');
  try {
    return await proveLocalModel(folder, use);
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.code === RUNTIME_MISSING) throw error;
    const detail = error.message.replaceAll(folder, source.address);
    throw new ModelError(`The model was tried and does not work. ${detail}`, { cause: error });
  }
}

/** Whether the failure says nothing against what was fetched. */
function isWorthKeeping(error: unknown): boolean {
  return error instanceof ModelError ? error.resumable : true;
}
