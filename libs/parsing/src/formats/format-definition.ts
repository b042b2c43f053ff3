import type { FormatParser } from './format-parser.js';

/** Kind of content of a format; decides which file names fit a content. */
export type ContentFamily = 'text' | 'pdf' | 'zip' | 'ole' | 'binary';

/** Facts by which files of a format are recognised. */
export interface FormatFacts {
  readonly mediaType: string;
  readonly family: ContentFamily;
  /** In lower case without a dot, the usual one first. A format without extensions is recognised by its content. */
  readonly extensions: readonly string[];
}

/** A format of the service. Its parser is loaded at first use, in the limited child process. */
export interface OwnFormat extends FormatFacts {
  load(): Promise<FormatParser>;
}

/** A format of another package, as data that is sent to the child process. */
export interface FormatDefinition extends FormatFacts {
  /** Name in messages: `Notes of Acme`. */
  readonly name: string;
  /** URL of the module whose default export is the `FormatParser`: `new URL('./notes.parser.js', import.meta.url).href`. */
  readonly parser: string;
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;
const EXTENSION = /^[a-z0-9_+-]{1,16}$/;

/** Describes a format of another package. @throws Error for a media type, extension or URL that cannot be used */
export function defineFormat(definition: FormatDefinition): FormatDefinition {
  const { mediaType, extensions, parser } = definition;
  if (!MEDIA_TYPE.test(mediaType)) throw new Error(`${JSON.stringify(mediaType)} is not a media type in lower case.`);
  const wrong = extensions.find((extension) => !EXTENSION.test(extension));
  if (wrong !== undefined) {
    throw new Error(`${JSON.stringify(wrong)} is not an extension of lower-case letters and digits without a dot.`);
  }
  if (!parser.startsWith('file:')) throw new Error(`The parser of ${mediaType} must be the URL of a file.`);
  return definition;
}
