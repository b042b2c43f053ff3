import type { SupportedMediaType } from '../media-type/known-types.js';
import type { FormatParser } from './format-parser.js';

/**
 * Every supported media type with its parser, loaded at first use. A new format is one file here and one line in
 * `SUPPORTED_MEDIA_TYPES`; the type of this map refuses one without the other.
 */
export const FORMAT_PARSERS: Readonly<Record<SupportedMediaType, () => Promise<FormatParser>>> = {
  'text/plain': async () => (await import('./text.parser.js')).parsePlainText,
  'text/markdown': async () => (await import('./markdown.parser.js')).parseMarkdown,
  'text/html': async () => (await import('./html.parser.js')).parseHtml,
  'application/pdf': async () => (await import('./pdf.parser.js')).parsePdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./docx.parser.js')).parseDocx,
};
