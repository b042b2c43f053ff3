import { listAddedFormats } from '../media-type/known-types.js';
import type { FormatParser } from './format-parser.js';
import { OWN_FORMATS } from './own-formats.js';

/** Loads the parser of a supported type. A parser of another package is the default export of its module. */
export async function findParser(mediaType: string): Promise<FormatParser> {
  const own = OWN_FORMATS.find((format) => format.mediaType === mediaType);
  if (own !== undefined) return own.load();
  const format = listAddedFormats().find((candidate) => candidate.mediaType === mediaType);
  if (format === undefined) throw new Error(`There is no parser for ${mediaType}`);
  const { default: parse } = (await import(format.parser)) as { default?: unknown };
  if (typeof parse !== 'function') throw new Error(`${format.parser} has no parser as its default export`);
  return parse as FormatParser;
}
