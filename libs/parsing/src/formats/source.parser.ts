import { extensionIn } from '../media-type/file-extension.js';
import { languageOfExtension, languageOfMediaType } from '../media-type/source-types.js';
import { SourceScanner } from '../scanning/source-scanner.js';
import type { FormatParser } from './format-parser.js';
import { createTextParser } from './text.parser.js';

/** Program sources and settings: the text as it is, in code blocks that begin at definitions. */
export function sourceParser(mediaType: string): FormatParser {
  return (input, output) => {
    const language = languageOfExtension(extensionIn(input.fileName)) ?? languageOfMediaType(mediaType);
    return createTextParser((emit) => new SourceScanner(emit, language))(input, output);
  };
}
