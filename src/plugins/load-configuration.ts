import {
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
  const plugins = await loadPlugins(readPluginNames());
  for (const plugin of plugins) registerPartsOf(plugin);
  return { settings: loadServiceSettings(), plugins };
}

function registerPartsOf(plugin: Plugin): void {
  try {
    registerAdapters(ADAPTERS.vectorStore, plugin.vectorStores ?? []);
    registerAdapters(ADAPTERS.objectStorage, plugin.objectStorages ?? []);
    registerAdapters(ADAPTERS.embeddingProvider, plugin.embedders ?? []);
    registerAdapters(ADAPTERS.rerankProvider, plugin.rerankers ?? []);
    registerAdapters(ADAPTERS.chatProvider, plugin.chatModels ?? []);
    registerFormats(plugin.formats ?? []);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`PLUGINS: the plugin "${plugin.name}": ${reason}.`]);
  }
}
