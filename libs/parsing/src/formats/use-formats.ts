import { registerHooks } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listAddedFormats, registerFormats } from '../media-type/known-types.js';
import type { FormatDefinition } from './format-definition.js';

/** What packages of other teams import of the service. */
export const SERVICE_EXTENSION = 'knowledge-base-service/extension';
/** What parsers of other packages get as the extension: in the limited child there is no service around them. */
const PARSER_EXTENSION = new URL('../parser-extension.js', import.meta.url).href;

/** Makes this process read the formats of other packages too; told again, it does nothing. */
export function useFormats(formats: readonly FormatDefinition[]): void {
  if (formats.length === 0 || listAddedFormats().length > 0) return;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === SERVICE_EXTENSION ? { url: PARSER_EXTENSION, shortCircuit: true } : next(specifier, context),
  });
  registerFormats(formats);
}

/** The folders that the parsers of added formats are loaded from, packages beside them included. */
export function foldersOfFormats(): string[] {
  return [...new Set(listAddedFormats().map(({ parser }) => modulesFolder(fileURLToPath(parser))))];
}

/** The outermost `node_modules` that a file lies in; its own folder when it lies in none. */
function modulesFolder(path: string): string {
  const parts = path.split(sep);
  const at = parts.indexOf('node_modules');
  return at < 0 ? dirname(path) : join(sep, ...parts.slice(0, at + 1));
}
