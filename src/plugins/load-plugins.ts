import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withDeadline } from '#libs/common';
import { SettingsError } from '#libs/config';
import { tablePrefixOf } from '#libs/database';
import { SERVICE_EXTENSION, type ContentFamily } from '#libs/parsing';
import { isDefinedHere, type Plugin } from './plugin.js';
import { PluginPackage } from './plugin-package.js';

/** Marks an import as that of a plugin. */
const SCHEME = 'plugin:';
/** A package that waits for something while it is imported would end the process without a word, or hold the start for ever. */
const LONGEST_IMPORT_MS = 30_000;
const EXTENSION_ENTRY = new URL('../extension.js', import.meta.url).href;

/**
 * Loads the packages that the operator trusts, in the order of their names in PLUGINS. They are never fetched.
 * @throws SettingsError with everything that is wrong with any of them
 */
export async function loadPlugins(names: readonly string[]): Promise<readonly Plugin[]> {
  if (names.length === 0) return [];
  const packages = names.map((name) => ({ name, found: PluginPackage.find(name) }));
  shareWith(packages.flatMap(({ found }) => (found === undefined ? [] : [found.folder])));
  const problems: string[] = [];
  const loaded: Loaded[] = [];
  for (const { name, found: installed } of packages) {
    const found = await loadOne(installed);
    if (typeof found === 'string') problems.push(`PLUGINS: ${name}: ${found.replace(/\.+$/, '')}.`);
    else loaded.push({ name, plugin: found });
  }
  problems.push(...findOverlaps(loaded));
  if (problems.length > 0) throw new SettingsError(problems);
  return loaded.map(({ plugin }) => plugin);
}

/** A plugin and the package that it came from. */
interface Loaded {
  readonly name: string;
  readonly plugin: Plugin;
}

/** The plugin, or what is wrong with it. */
async function loadOne(found: PluginPackage | undefined): Promise<Plugin | string> {
  if (found === undefined) return 'is not installed; install the package beside the service, or take it off the list';
  const problems = found.problems();
  if (problems.length > 0) return problems.join('; ');
  try {
    const imported = withDeadline(importFrom(found), LONGEST_IMPORT_MS, importTakesTooLong);
    const { default: plugin } = (await imported) as { default?: unknown };
    if (!isDefinedHere(plugin)) return `its default export must be the result of definePlugin of ${SERVICE_EXTENSION}`;
    return findUnreadableFormat(plugin) ?? plugin;
  } catch (error) {
    return `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function importTakesTooLong(): Error {
  return new Error(
    `its import has not come to its end within ${LONGEST_IMPORT_MS / 1_000} s; it may await nothing that does not end`,
  );
}

const FAMILIES: Readonly<Record<ContentFamily, true>> = { text: true, pdf: true, zip: true, ole: true, binary: true };

/** What is wrong with a format: its parser is loaded at the first file, whose uploader can do nothing about it. */
function findUnreadableFormat({ formats = [] }: Plugin): string | undefined {
  for (const { mediaType, family, parser } of formats) {
    if (!Object.hasOwn(FAMILIES, family)) {
      return `the family of ${mediaType} is ${JSON.stringify(family)} and none of ${Object.keys(FAMILIES).join(', ')}`;
    }
    if (!existsSync(fileURLToPath(parser))) return `the parser of ${mediaType} is missing: ${fileURLToPath(parser)}`;
  }
  return undefined;
}

/** Two plugins must not be able to name the same table. */
function findOverlaps(loaded: readonly Loaded[]): string[] {
  return loaded.flatMap((one, index) =>
    loaded
      .slice(index + 1)
      .filter((other) => overlap(tablePrefixOf(one.plugin.name), tablePrefixOf(other.plugin.name)))
      .map((other) =>
        one.plugin.name === other.plugin.name
          ? `PLUGINS: ${one.name} and ${other.name} are both the plugin "${one.plugin.name}"; each needs a name of its own.`
          : `PLUGINS: the plugins "${one.plugin.name}" and "${other.plugin.name}" would share the names of tables.`,
      ),
  );
}

function overlap(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** By its name, so that Node reads the package's exports, as if a file beside its modules asked. */
function importFrom({ name, holder }: PluginPackage): Promise<unknown> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === `${SCHEME}${name}`
        ? next(name, { ...context, parentURL: pathToFileURL(join(holder, 'package.json')).href })
        : next(specifier, context),
  });
  return import(`${SCHEME}${name}`).finally(() => hooks.deregister());
}

/**
 * Anyone who imports the extension gets this copy of it, wherever the plugin lies; and what a plugin does not find beside itself, its
 * peers, it gets from the service.
 */
function shareWith(folders: readonly string[]): void {
  const plugins = folders.map((folder) => `${pathToFileURL(folder).href}/`);
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === SERVICE_EXTENSION) return { url: EXTENSION_ENTRY, shortCircuit: true };
      if (!plugins.some((folder) => context.parentURL?.startsWith(folder))) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND' || /^[./]/.test(specifier)) throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
