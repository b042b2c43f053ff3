import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join, posix } from 'node:path';
import {
  chooseLocalModelFiles,
  findExternalData,
  isStaticConfig,
  NotAnOnnxFileError,
  STATIC_MODEL_FILE,
} from '#libs/ai';
import { CHECKSUM_FILE, readChecksums, verifyFile, type InstalledFile } from './checksums.js';
import { ModelError } from './model.errors.js';
import { fileOf, harmlessPath, type FetchOptions, type ModelSource, type SourceFile } from './model-source.js';
import { inUnits } from './progress.js';

/** The terms of a model go where it goes. */
const TERMS = /^(LICEN[CS]E|NOTICE)(\.(txt|md))?$/i;
const NETWORK = /\.onnx$/;
const CONFIG = 'config.json';
const MAX_CHECKSUM_BYTES = 1024 * 1024;
const SHOWN = 8;

/** What is taken of a source. */
export interface Selection {
  readonly network: string;
  readonly files: readonly SourceFile[];
}

/** What is asked of a source. */
export interface SelectionOptions {
  /** Takes a quantized network. */
  readonly quantized: boolean;
  /** Whether its config.json says that it is a static model. */
  readonly isStatic: boolean;
}

/** Whether only config.json tells which of the files are the model. */
export function maybeStatic(offered: readonly SourceFile[]): boolean {
  return [CONFIG, STATIC_MODEL_FILE].every((path) => offered.some((file) => file.path === path));
}

/** Brings config.json into `folder`, and reads whether it is that of a static model. @throws ModelError */
export async function fetchIsStatic(
  source: ModelSource,
  offered: readonly SourceFile[],
  folder: string,
  options: FetchOptions,
): Promise<boolean> {
  const config = fileOf(offered, CONFIG);
  await source.fetch([config], folder, options);
  await verifyFile(folder, config, options.signal);
  return isStaticConfig(await readFile(join(folder, CONFIG), 'utf8'));
}

/** Chooses what a model folder needs. @throws ModelError that names everything that is missing */
export function selectFiles(address: string, offered: readonly SourceFile[], options: SelectionOptions): Selection {
  const paths = offered.map(({ path }) => path);
  const { network, missing, files } = chooseLocalModelFiles(paths, options);
  if (network === undefined || missing.length > 0) {
    const others = paths.filter((path) => NETWORK.test(path)).slice(0, SHOWN);
    const hint = network === undefined && others.length > 0 ? ` It has ${others.join(', ')}.` : '';
    throw new ModelError(`${address} is no model that can be used: it lacks ${missing.join(', ')}.${hint}`);
  }
  const taken = [...files, ...paths.filter((path) => TERMS.test(path))];
  return { network, files: taken.map((path) => fileOf(offered, path)) };
}

/**
 * Brings the selected files into `folder`, and what the network refers to, compares them with the checksums of the source, and removes
 * anything else from there. @throws ModelError
 */
export async function stageModel(
  source: ModelSource,
  offered: readonly SourceFile[],
  selection: Selection,
  folder: string,
  options: FetchOptions,
): Promise<readonly InstalledFile[]> {
  await refuseWithoutRoom(selection.files, folder);
  const known = await withChecksums(source, offered, folder, options);
  const take = async (paths: readonly string[]): Promise<InstalledFile[]> => {
    const files = paths.map((path) => fileOf(known, path));
    await source.fetch(files, folder, options);
    const installed: InstalledFile[] = [];
    for (const file of files) installed.push(await verifyFile(folder, file, options.signal));
    return installed;
  };
  const described = await take(selection.files.map(({ path }) => path));
  const weights = await findWeights(source.address, selection.network, known, folder);
  await refuseWithoutRoom(weights, folder);
  const all = [...described, ...(await take(weights.map(({ path }) => path)))];
  await removeOthers(folder, new Set(all.map(({ path }) => path)));
  return all;
}

/** The files that are offered, with the checksums that a file among them names. */
async function withChecksums(
  source: ModelSource,
  offered: readonly SourceFile[],
  folder: string,
  options: FetchOptions,
): Promise<readonly SourceFile[]> {
  const list = offered.find(({ path }) => path === CHECKSUM_FILE);
  if (list === undefined) return offered;
  if ((list.size ?? 0) > MAX_CHECKSUM_BYTES)
    throw new ModelError(`${CHECKSUM_FILE} is too long for a list of checksums.`);
  await source.fetch([list], folder, options);
  await verifyFile(folder, list, options.signal);
  const checksums = readChecksums(await readFile(join(folder, CHECKSUM_FILE), 'utf8'));
  return offered.map((file) => {
    const sha256 = checksums.get(file.path);
    if (sha256 === undefined) return file;
    if (file.sha256 !== undefined && file.sha256 !== sha256) {
      throw new ModelError(`${source.address} names two checksums of ${file.path}, ${file.sha256} and ${sha256}.`);
    }
    return { ...file, sha256 };
  });
}

/** Files beside the network that hold its weights. */
async function findWeights(
  address: string,
  network: string,
  offered: readonly SourceFile[],
  folder: string,
): Promise<readonly SourceFile[]> {
  if (network === STATIC_MODEL_FILE) return [];
  const locations = await findExternalData(join(folder, network)).catch((error: unknown) => {
    if (error instanceof NotAnOnnxFileError) throw new ModelError(`${network} of ${address} is no ONNX network.`);
    throw error;
  });
  return locations.map((location) => {
    const path = harmlessPath(location);
    if (path === undefined) {
      throw new ModelError(`${network} keeps weights in ${JSON.stringify(location)}, which is outside of its folder.`);
    }
    const beside = posix.join(posix.dirname(network), path);
    const found = offered.find((file) => file.path === beside);
    if (found === undefined) throw new ModelError(`${network} keeps weights in ${beside}, which ${address} lacks.`);
    return found;
  });
}

async function refuseWithoutRoom(files: readonly SourceFile[], folder: string): Promise<void> {
  const needed = files.reduce((sum, { size = 0 }) => sum + size, 0);
  const there = await Promise.all(
    files.flatMap(({ path }) => [path, `${path}.part`]).map((path) => sizeOf(join(folder, path))),
  );
  const { bavail, bsize } = await statfs(folder);
  const missing = needed - there.reduce((sum, size) => sum + size, 0) - bavail * bsize;
  if (missing > 0) {
    throw new ModelError(
      `There is no room for ${inUnits(needed)} on the disk of ${folder}: ${inUnits(missing)} are missing.`,
    );
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}

/** Of a former run that took other files, and the list of checksums. */
async function removeOthers(folder: string, wanted: ReadonlySet<string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const inner = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (!entry.isDirectory() && !wanted.has(inner)) await rm(path);
  }
}
