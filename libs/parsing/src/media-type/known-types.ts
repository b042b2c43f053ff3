import type { ContentFamily, FormatDefinition, FormatFacts } from '../formats/format-definition.js';
import { OWN_FORMATS } from '../formats/own-formats.js';

export const OLE = 'application/x-cfb';
export const ZIP = 'application/zip';

const OWN_DESCRIPTION =
  'PDF, Word, PowerPoint, Excel, OpenDocument, RTF, EPUB, HTML, Markdown, plain text, CSV, JSON, XML, e-mail (also mailboxes), saved pages (MHTML), ' +
  'transcripts (WebVTT, SRT, ASS), ' +
  'program sources, and ZIP archives of such files';

interface KnownType {
  mediaType: string;
  family: ContentFamily;
}

const formats = new Map<string, FormatFacts>(OWN_FORMATS.map((format) => [format.mediaType, format]));
const byExtension = new Map<string, FormatFacts>();
for (const format of OWN_FORMATS) for (const extension of format.extensions) byExtension.set(extension, format);
const added: FormatDefinition[] = [];

/**
 * Adds formats of other packages to those that are told and read in this process; at the start, before a file comes.
 * @throws Error for a media type or an extension that another format has
 */
export function registerFormats(definitions: readonly FormatDefinition[]): void {
  for (const definition of definitions) {
    const { mediaType, extensions } = definition;
    const taken = formats.has(mediaType) ? mediaType : extensions.find((extension) => byExtension.has(extension));
    if (taken !== undefined) throw new Error(`another format has ${taken} already`);
    formats.set(mediaType, definition);
    for (const extension of extensions) byExtension.set(extension, definition);
    added.push(definition);
  }
}

/** The formats of other packages, in the order in which they were added. */
export function listAddedFormats(): readonly FormatDefinition[] {
  return added;
}

/** The supported formats in words, for messages to the user. */
export function supportedDescription(): string {
  return [OWN_DESCRIPTION, ...added.map(({ name }) => name)].join('; ');
}

/** The type that a file name claims; undefined for an extension that says nothing to us. */
export function typeOfExtension(extension: string): KnownType | undefined {
  const format = byExtension.get(extension.toLowerCase());
  return format === undefined ? undefined : { mediaType: format.mediaType, family: format.family };
}

/** A usual extension of a type, for advice to the user. */
export function extensionOf(mediaType: string): string | undefined {
  return formats.get(mediaType)?.extensions[0];
}

/** Text types that a declaration may choose when the file name says nothing. */
export function isTextType(mediaType: string): boolean {
  const format = formats.get(mediaType);
  return format?.family === 'text' && format.extensions.length > 0;
}

/** Whether there is a parser for a type. */
export function isSupported(mediaType: string): boolean {
  return formats.has(mediaType);
}

/** The types that the service reads without any other package. */
export function listOwnMediaTypes(): string[] {
  return OWN_FORMATS.map(({ mediaType }) => mediaType);
}
