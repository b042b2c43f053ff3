import type { Type } from '@nestjs/common';
import type { ChatModelAdapter, EmbedderAdapter, RerankerAdapter } from '#libs/ai';
import type { PluginMigration, PluginSchema } from '#libs/database';
import type { ObjectStorageAdapter } from '#libs/object-storage';
import type { FormatDefinition } from '#libs/parsing';
import type { VectorStoreAdapter } from '#libs/vector-store';

/** A package of another team that becomes part of the service when its name is in PLUGINS. */
export interface Plugin {
  /**
   * Lower-case letters, digits and hyphens, at most 32. Its tables begin with it (hyphens written as `_`), its migrations are
   * recorded under it.
   */
  readonly name: string;
  /** Nest modules: controllers, services, task handlers, event subscribers and steps of ingestion. Part of every process. */
  readonly modules?: readonly Type[];
  /** What it adds to the values of VECTOR_STORE, OBJECT_STORAGE, EMBEDDING_PROVIDER, RERANK_PROVIDER and CHAT_PROVIDER. */
  readonly vectorStores?: readonly VectorStoreAdapter[];
  readonly objectStorages?: readonly ObjectStorageAdapter[];
  readonly embedders?: readonly EmbedderAdapter[];
  readonly rerankers?: readonly RerankerAdapter[];
  readonly chatModels?: readonly ChatModelAdapter[];
  /** Formats of files that it reads; their parsers run in the limited child process. */
  readonly formats?: readonly FormatDefinition[];
  /** Steps of its schema, oldest first. A released one is never changed; a new one is appended. */
  readonly migrations?: readonly PluginMigration[];
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const MAX_NAME = 32;

/** The plugins that this copy of the service has been given: a plugin that another copy made shares neither classes nor tokens. */
const defined = new WeakSet<Plugin>();

/** Describes a plugin; its package exports the result as default. @throws Error when the name cannot be used */
export function definePlugin(plugin: Plugin): Plugin {
  if (!NAME.test(plugin.name) || plugin.name.length > MAX_NAME) {
    throw new Error(
      `The plugin's name ${JSON.stringify(plugin.name)} must hold lower-case letters, digits and single hyphens, ${MAX_NAME} at most.`,
    );
  }
  const names = (plugin.migrations ?? []).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`The plugin "${plugin.name}" has two migrations named "${twice}".`);
  defined.add(plugin);
  return plugin;
}

/** Whether `definePlugin` of this copy of the service made it. */
export function isDefinedHere(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && defined.has(value as Plugin);
}

/** What the plugin keeps in the database. */
export function schemaOf({ name, migrations = [] }: Plugin): PluginSchema {
  return { plugin: name, migrations };
}

/** The Nest modules of all of them. */
export function modulesOf(plugins: readonly Plugin[]): Type[] {
  return plugins.flatMap(({ modules = [] }) => [...modules]);
}
