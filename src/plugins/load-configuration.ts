import {
  findDuplicateSetting,
  loadEnvironmentFile,
  readPluginNames,
  registerAdapters,
  SettingsError,
  type SettingsValues,
} from '#libs/config';
import { registerFormats } from '#libs/parsing';
import { ADAPTERS, loadServiceSettings } from '../app/adapters.js';
import { keepFilesPrivate } from '../app/data-folder.js';
import { loadPlugins } from './load-plugins.js';
import type { Plugin } from './plugin.js';

/** The settings of this process, and the plugins that they name. */
export interface Configuration {
  readonly settings: SettingsValues;
  /** In the order of PLUGINS. */
  readonly plugins: readonly Plugin[];
}

/** Keeps the files of this process private, reads the environment, `.env` included, and loads the plugins first, because they may bring settings. @throws SettingsError */
export async function loadConfiguration(): Promise<Configuration> {
  keepFilesPrivate();
  loadEnvironmentFile();
  try {
    const plugins = await loadPlugins(readPluginNames());
    for (const plugin of plugins) registerPartsOf(plugin);
    return { settings: loadServiceSettings(), plugins };
  } catch (error) {
    throw error instanceof SettingsError ? besideAllOthers(error) : error;
  }
}

/**
 * The problems of the plugins and those of the settings, together. What chooses an adapter, or names one in MODELS_FILE, is left out where
 * plugins have problems: the adapter may be one of theirs.
 */
function besideAllOthers(error: SettingsError): SettingsError {
  if (!error.problems.every(isAboutPlugins)) return error;
  const unsure = ['MODELS_FILE', ...Object.values(ADAPTERS).map(({ setting }) => setting)];
  const others = problemsOfSettings().filter((problem) => !unsure.some((name) => problem.startsWith(`${name}:`)));
  return new SettingsError([...error.problems, ...others]);
}

function isAboutPlugins(problem: string): boolean {
  return problem.startsWith('PLUGINS:');
}

function problemsOfSettings(): readonly string[] {
  try {
    loadServiceSettings();
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

function registerPartsOf(plugin: Plugin): void {
  const { vectorStores = [], objectStorages = [], embedders = [], rerankers = [], chatModels = [] } = plugin;
  try {
    const brought = [...vectorStores, ...objectStorages, ...embedders, ...rerankers, ...chatModels];
    const taken = findDuplicateSetting(ADAPTERS, brought);
    if (taken !== undefined)
      throw new Error(`there is a setting ${taken} already; begin the name of its own with its name`);
    registerAdapters(ADAPTERS.vectorStore, vectorStores);
    registerAdapters(ADAPTERS.objectStorage, objectStorages);
    registerAdapters(ADAPTERS.embeddingProvider, embedders);
    registerAdapters(ADAPTERS.rerankProvider, rerankers);
    registerAdapters(ADAPTERS.chatProvider, chatModels);
    registerFormats(plugin.formats ?? []);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`PLUGINS: the plugin "${plugin.name}": ${reason}.`]);
  }
}
