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

const PARTS: Readonly<
  Record<Exclude<keyof Plugin, 'name'>, { readonly one: string; readonly fits: (part: unknown) => boolean }>
> = {
  modules: { one: 'a class with @Module', fits: (part) => typeof part === 'function' },
  vectorStores: { one: 'the result of defineVectorStore', fits: isObject },
  objectStorages: { one: 'the result of defineObjectStorage', fits: isObject },
  embedders: { one: 'the result of defineEmbedder', fits: isObject },
  rerankers: { one: 'the result of defineReranker', fits: isObject },
  chatModels: { one: 'the result of defineChatModel', fits: isObject },
  formats: { one: 'the result of defineFormat', fits: isObject },
  migrations: {
    one: '{ name, up }',
    fits: (part) => isObject(part) && typeof part['name'] === 'string' && typeof part['up'] === 'function',
  },
};

/**
 * Describes a plugin; its package exports the result as default.
 * @throws Error for a name that cannot be used, and for a part that is unknown or not what it should be: types check neither in JavaScript
 */
export function definePlugin(plugin: Plugin): Plugin {
  refuseOddParts(plugin);
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

function refuseOddParts(plugin: Plugin): void {
  if (!isObject(plugin) || typeof plugin['name'] !== 'string')
    throw new Error('definePlugin needs an object with a name.');
  const { name, ...parts } = plugin;
  for (const [part, given] of Object.entries(parts)) {
    if (!Object.hasOwn(PARTS, part)) {
      throw new Error(`The plugin "${name}" has no part "${part}"; it may have ${Object.keys(PARTS).join(', ')}.`);
    }
    const { one, fits } = PARTS[part as keyof typeof PARTS];
    if (given !== undefined && !(Array.isArray(given) && given.every(fits))) {
      throw new Error(`${part} of the plugin "${name}" must be a list, and each of it ${one}.`);
    }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
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
