import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { readHead } from '../charset/file-chunks.js';
import { writeHtml } from '../html/html-walker.js';
import type { ParseOutput } from '../output/parse-output.js';
import { reportStruckOut } from '../output/struck-out.js';
import type { FormatInput, FormatParser, FormatResult } from './format-parser.js';

/** HTML names its encoding within its first bytes; the standard asks for 1024, real pages need some more. */
const META_BYTES = 4096;

/** HTML: visible text in document order, without navigation and other boilerplate. */
export const parseHtml: FormatParser = (input, output) => readHtml(input, output);

/** The same with CSS that a saved page has beside it. */
export async function readHtml(input: FormatInput, output: ParseOutput, css = ''): Promise<FormatResult> {
  const declared = readMetaCharset(readHead(input.path, META_BYTES));
  const charset = await detectCharset(input.path, { explicit: input.options.charset, declared });
  const pieces: string[] = [];
  for await (const piece of decodeFile(input.path, charset.name)) pieces.push(piece);
  const found = writeHtml(pieces.join(''), output, { css });
  const struck = reportStruckOut(found.struckUnits);
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    title: found.title,
    warnings: struck.warnings,
    fidelity: {
      ...struck.fidelity,
      tables: found.tables,
      table_rows: found.tableRows,
      images_seen: found.images,
      images_extracted: 0,
      boilerplate_units: found.boilerplateUnits,
      ...(found.hiddenUnits > 0 && { hidden_units: found.hiddenUnits }),
      ...(found.boilerplateUnits > 0 && { skipped: 'navigation and other boilerplate' }),
      ...(found.language !== undefined && { declared_language: found.language.slice(0, 35) }),
    },
  };
}

/** The label in `<meta charset>` or `<meta http-equiv="content-type">`, or in an XML declaration. */
export function readMetaCharset(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const meta = /<meta\s[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1];
  return meta ?? /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(text)?.[1];
}
