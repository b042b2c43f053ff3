import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SettingsError } from '#libs/config';
import { tablePrefixOf } from '#libs/database';
import { SERVICE_EXTENSION } from '#libs/parsing';
import { isDefinedHere, type Plugin } from './plugin.js';
import { PluginPackage } from './plugin-package.js';

/** Marks an import as that of a plugin. */
const SCHEME = 'plugin:';
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
  const plugins: Plugin[] = [];
  for (const { name, found: installed } of packages) {
    const found = await loadOne(installed);
    if (typeof found === 'string') problems.push(`PLUGINS: ${name}: ${found}.`);
    else plugins.push(found);
  }
  problems.push(...findOverlaps(plugins));
  if (problems.length > 0) throw new SettingsError(problems);
  return plugins;
}

/** The plugin, or what is wrong with it. */
async function loadOne(found: PluginPackage | undefined): Promise<Plugin | string> {
  if (found === undefined) return 'is not installed; install the package beside the service, or take it off the list';
  const problems = found.problems();
  if (problems.length > 0) return problems.join('; ');
  try {
    const { default: plugin } = (await importFrom(found)) as { default?: unknown };
    return isDefinedHere(plugin)
      ? plugin
      : `its default export must be the result of definePlugin of ${SERVICE_EXTENSION}`;
  } catch (error) {
    return `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Two plugins must not be able to name the same table. */
function findOverlaps(plugins: readonly Plugin[]): string[] {
  return plugins.flatMap((one, index) =>
    plugins
      .slice(index + 1)
      .filter((other) => overlap(tablePrefixOf(one.name), tablePrefixOf(other.name)))
      .map((other) => `PLUGINS: the plugins "${one.name}" and "${other.name}" would share the names of tables.`),
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
