import { SOURCE_EXTENSIONS, SOURCE_MEDIA_TYPES } from '../media-type/source-types.js';
import type { OwnFormat } from './format-definition.js';

/** Program sources and settings files share a parser; the language comes from the file's name. */
export const SOURCE_FORMATS: readonly OwnFormat[] = SOURCE_MEDIA_TYPES.map((mediaType) => ({
  mediaType,
  family: 'text',
  extensions: Object.keys(SOURCE_EXTENSIONS).filter((extension) => SOURCE_EXTENSIONS[extension] === mediaType),
  load: async () => (await import('./source.parser.js')).sourceParser(mediaType),
}));
