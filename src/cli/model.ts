import { join } from 'node:path';
import { LOCAL_MODEL_PATHS } from '#libs/ai';
import { loadEnvironmentFile, readDataDir, readSetting } from '#libs/config';
import { keepFilesPrivate, makeDataFolder } from '../app/data-folder.js';
import { reportFailure } from './backup/report-failure.js';
import { chooseSource } from './model/choose-source.js';
import { describeInstalled, describeModel, describeRecommended } from './model/describe-installed.js';
import { installModel, withFolder } from './model/install-model.js';
import { InstalledModels } from './model/installed-models.js';
import { ModelError } from './model/model.errors.js';
import { ScreenProgress } from './model/progress.js';
import { readCall, USAGE, type Call, type InstallCall, type RecommendCall } from './model/read-call.js';
import { recommendFor } from './model/recommended-models.js';

/**
 * `npm run model -- install SOURCE`: brings an ONNX model into `DATA_DIR/models`, tries it, and prints the settings to paste. `list`,
 * `remove NAME` and `recommend` beside it. Of the settings only DATA_DIR has to be right: the model may be what the others lack. Exit code 0: done; 1: it
 * could not be done; 2: a wrong call.
 */
const call = readCall(process.argv.slice(2));
if (typeof call === 'string') {
  process.stderr.write(`${call}\n${USAGE}`);
  process.exitCode = 2;
} else {
  await run(call).catch((error: unknown) => reportFailure('Model', error));
}

async function run(asked: Call): Promise<void> {
  keepFilesPrivate();
  loadEnvironmentFile();
  const models = new InstalledModels(join(readDataDir(), 'models'));
  if (asked.kind === 'install') {
    await makeDataFolder(readDataDir());
    await install(models, asked);
  } else if (asked.kind === 'recommend') {
    await recommend(models, asked);
  } else if (asked.kind === 'remove') {
    await remove(models, asked.name);
  } else {
    const found = await models.list();
    if (found.length === 0) say(`There is no model in ${models.folder}.`);
    for (const { name, manifest } of found) say(describeModel(name, manifest));
  }
}

async function recommend(models: InstalledModels, asked: RecommendCall): Promise<void> {
  const { languagesOfDataset } = await import('./model/dataset-languages.js');
  const languages = asked.dataset === undefined ? asked.languages : await languagesOfDataset(asked.dataset);
  const found = recommendFor(languages);
  say(describeRecommended(languages, found));
  const [first] = found;
  if (!asked.install || first === undefined) return;
  const usual = { name: undefined, revision: undefined, use: 'embedding', quantized: true, replace: false } as const;
  await makeDataFolder(readDataDir());
  await install(models, { ...usual, source: first.source, base: asked.base });
}

async function install(models: InstalledModels, { source: from, name, use, ...options }: InstallCall): Promise<void> {
  const warn = (line: string): void => void process.stderr.write(`Warning: ${line}\n`);
  const source = await chooseSource(from, options, warn);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new ModelError(`stopped by ${signal}.`, { resumable: true })));
  }
  const installed = await installModel({
    models,
    source,
    name: name ?? source.suggestedName,
    replace: options.replace,
    quantized: options.quantized,
    ...(use === undefined ? {} : { use }),
    progress: new ScreenProgress(process.stderr),
    signal: stop.signal,
  });
  say(describeInstalled(installed));
}

async function remove(models: InstalledModels, name: string): Promise<void> {
  const used = LOCAL_MODEL_PATHS.flatMap((setting) => {
    const path = readSetting(setting);
    return path === undefined ? [] : [[setting.name, path] as const];
  });
  if (!models.has(name)) throw new ModelError(`There is no model ${name} in ${models.folder}.`);
  await withFolder(models, () => models.remove(name, used));
  say(`Removed ${name}.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
