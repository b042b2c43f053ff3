import mammoth from 'mammoth';
import { checkArchive, DEFAULT_ARCHIVE_LIMITS } from '../archive/preflight.js';
import type { ParseWarning } from '../document-parser.port.js';
import { writeHtml } from '../html/html-walker.js';
import { ParseError } from '../parse-error.js';
import { DocxPackage } from './docx-package.js';
import type { FormatParser } from './format-parser.js';

/** Word's own title styles are headings for us; comments follow the text instead of being dropped. */
const STYLE_MAP = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  'comment-reference => sup',
];

/** DOCX: checked as an archive, turned into HTML by mammoth, then read as HTML. Images and external parts are ignored. */
export const parseDocx: FormatParser = async (input, output) => {
  const { names } = await checkArchive(input.path, input.sizeBytes);
  if (!names.has('word/document.xml')) {
    throw new ParseError(
      'MALFORMED',
      'The .docx file has no word/document.xml; save it again from the word processor.',
    );
  }
  const parts = new DocxPackage(input.path, names, DEFAULT_ARCHIVE_LIMITS.maxInflatedBytes);
  const { value, messages } = await toHtml(parts);
  const { title, tables } = writeHtml(value, output);
  const warnings: ParseWarning[] = messages.some(({ type }) => type === 'error')
    ? [{ code: 'PARTIAL_CONTENT', detail: 'Parts of the document could not be read.' }]
    : [];
  const leftOut = [...names].filter((name) => /^word\/(?:header|footer)\d*\.xml$/.test(name)).length;
  return {
    title: (await readTitle(parts)) ?? title,
    warnings,
    fidelity: { tables, headers_and_footers_left_out: leftOut },
  };
};

async function toHtml(parts: DocxPackage): ReturnType<typeof mammoth.convertToHtml> {
  // mammoth takes an opened package as `file`; its type declarations name only the ways to open one.
  const input = { file: parts } as unknown as { path: string };
  try {
    return await mammoth.convertToHtml(input, {
      styleMap: STYLE_MAP,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      idPrefix: 'd-',
    });
  } catch (error) {
    throw new ParseError(
      'MALFORMED',
      'The .docx file is damaged; open it in a word processor, save it and upload that.',
      {
        cause: error,
      },
    );
  }
}

/** The title in the document's properties. */
async function readTitle(parts: DocxPackage): Promise<string | undefined> {
  if (!parts.exists('docProps/core.xml')) return undefined;
  const xml = String(await parts.read('docProps/core.xml', 'utf-8'));
  const raw = /<dc:title>([^<]{1,500})<\/dc:title>/.exec(xml)?.[1];
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return raw?.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name]!).trim() || undefined;
}
