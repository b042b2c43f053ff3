import { rmSync, writeFileSync } from 'node:fs';
import { writeHtml } from '../../html/html-walker.js';
import { writeHeading } from '../../output/append-parsed.js';
import type { ParseOutput } from '../../output/parse-output.js';
import { writePlainLines } from '../../output/plain-lines.js';
import { writeScanned } from '../../output/scanned-text.js';
import { ParseError } from '../../parse-error.js';
import { ParagraphScanner } from '../../scanning/paragraph-scanner.js';
import { quotationsIn } from './quoted-html.js';
import { partQuoted, type QuotedPart } from './quoted-text.js';
import { signedContent } from './signed-content.js';
import type { EmbeddedOutcome } from '../embedded-files.port.js';
import { EmbeddedReport, nameAttached } from '../embedded-report.js';
import type { FormatInput, FormatResult } from '../format-parser.js';

/** A message, whatever file it came in. */
export interface MailMessage {
  subject?: string;
  /** Names and values of the header lines that people read, in their order. */
  headers: readonly (readonly [string, string])[];
  text?: string;
  html?: string;
  attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  /** As the message names it; may be empty. */
  name: string;
  mediaType: string;
  /** A picture that the body shows. */
  isInline: boolean;
  read(): Uint8Array;
}

const MAX_ATTACHMENTS = 500;
const MAX_ATTACHMENT_BYTES = 256 * 1024 * 1024;
/** An HTML body that says so much more than the plain one is the message; the plain one says where to look at it. */
const HTML_OUTWEIGHS = 3;
/** Signatures: no content. */
const SIGNATURES = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature)$/;
const PACKED_PARTS = /^application\/(?:x-)?pkcs7-mime$/;
const ENCRYPTED_PARTS = /^application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted)$/;

/** Writes a message: subject, header lines, body, and each attachment under a heading with its name. */
export async function writeMail(message: MailMessage, input: FormatInput, output: ParseOutput): Promise<FormatResult> {
  const attachments = message.attachments.filter(({ mediaType }) => !SIGNATURES.test(mediaType)).map(opened);
  const hasBody = /\S/.test(message.text ?? '') || /\S/.test(message.html ?? '');
  if (!hasBody && attachments.some(({ mediaType }) => ENCRYPTED_PARTS.test(mediaType))) {
    throw new ParseError('ENCRYPTED', 'The message is encrypted; save it without encryption and upload that.');
  }
  if (message.subject !== undefined) writeHeading(output, message.subject, 1);
  writePlainLines(
    output,
    message.headers.map(([name, value]) => `${name}: ${value.replace(/\s+/g, ' ').trim()}`),
  );
  const tables = writeBody(message, output);
  const report = new EmbeddedReport();
  const files = attachments.filter(({ isInline, mediaType }) => !(isInline && mediaType.startsWith('image/')));
  for (const [index, file] of files.entries()) {
    const name = nameAttached(file, index, input.embedded);
    report.note(name, await readAttachment(file, name, report.seen, input, output));
  }
  const { fidelity } = report;
  const images = attachments.length - files.length;
  return {
    title: message.subject?.replace(/\s+/g, ' ').trim() || undefined,
    warnings: report.warnings,
    fidelity: {
      ...fidelity,
      tables: tables + numberOf(fidelity['tables']),
      images_seen: images + numberOf(fidelity['images_seen']),
      images_extracted: numberOf(fidelity['images_extracted']),
    },
  };
}

/** What is signed and not encrypted is a message inside of this one. */
function opened(file: MailAttachment): MailAttachment {
  if (!PACKED_PARTS.test(file.mediaType)) return file;
  const bytes = contentOf(file);
  const content = bytes === undefined ? undefined : signedContent(bytes);
  if (content === undefined) return file;
  return { name: '', mediaType: 'message/rfc822', isInline: false, read: () => content };
}

/** Writes the body and answers the number of its tables. */
function writeBody({ text = '', html = '' }: MailMessage, output: ParseOutput): number {
  const plain = text.trim();
  const isHtmlTheMessage = plain === '' || plain.length * HTML_OUTWEIGHS < visibleEstimate(html);
  if (html !== '' && isHtmlTheMessage) return writeHtml(html, output, { keepsAll: true, quotationsIn }).tables;
  const { own, quoted } = partQuoted(text);
  writeScanned(output, own, (emit) => new ParagraphScanner(emit));
  for (const part of quoted) writeQuoted(part, output);
  return 0;
}

/** A quotation is a section of its own, named after who said it: it is not what the sender says. */
function writeQuoted({ source, text }: QuotedPart, output: ParseOutput): void {
  writeHeading(output, source === '' ? 'Quoted' : `Quoted: ${source}`, 2);
  for (const paragraph of text.split(/\n{2,}/)) {
    if (paragraph.trim() !== '') writePlainLines(output, paragraph.split('\n'), { kind: 'quote' });
  }
}

/** Characters of the visible text, roughly; linear, whatever the markup. */
function visibleEstimate(html: string): number {
  let text = html;
  for (const name of ['style', 'script', 'title']) text = withoutElements(text, name);
  return text.replace(/<[^<>]*>/g, '').replace(/\s+/g, ' ').length;
}

function withoutElements(html: string, name: string): string {
  const lower = html.toLowerCase();
  const kept: string[] = [];
  let at = 0;
  for (let open = lower.indexOf(`<${name}`); open >= 0; open = lower.indexOf(`<${name}`, at)) {
    const close = lower.indexOf(`</${name}`, open);
    if (close < 0) break;
    kept.push(html.slice(at, open));
    at = close + 2 + name.length;
  }
  kept.push(html.slice(at));
  return kept.join('');
}

async function readAttachment(
  file: MailAttachment,
  name: string,
  before: number,
  { embedded }: FormatInput,
  output: ParseOutput,
): Promise<EmbeddedOutcome> {
  if (before >= MAX_ATTACHMENTS) return { kind: 'skipped', reason: `more than ${MAX_ATTACHMENTS} attachments` };
  const bytes = contentOf(file);
  if (bytes === undefined) return { kind: 'skipped', reason: 'damaged' };
  if (bytes.length === 0) return { kind: 'skipped', reason: 'empty' };
  if (bytes.length > MAX_ATTACHMENT_BYTES) return { kind: 'skipped', reason: 'too large' };
  embedded.countBytes(bytes.length);
  const path = embedded.makePath();
  try {
    writeFileSync(path, bytes, { mode: 0o600 });
    const declaredMediaType = file.mediaType === 'application/octet-stream' ? undefined : file.mediaType;
    return await embedded.read({ path, fileName: name, declaredMediaType }, output, {
      heading: { text: name, level: 2 },
    });
  } finally {
    rmSync(path, { force: true });
  }
}

/** The bytes of an attachment; undefined when the message is damaged there. */
function contentOf(file: MailAttachment): Uint8Array | undefined {
  try {
    return file.read();
  } catch (error) {
    if (error instanceof ParseError && error.code === 'MALFORMED') return undefined;
    throw error;
  }
}

function numberOf(value: number | string | undefined): number {
  return typeof value === 'number' ? value : 0;
}
