import { readFileSync } from 'node:fs';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { ParseError } from '../../parse-error.js';
import type { FormatParser } from '../format-parser.js';
import { parsePlainText } from '../text.parser.js';
import { repairUndeclared } from './eml-charset.js';
import { writeMail, type MailAttachment, type MailMessage } from './mail-message.js';
import { decodeBody, essenceOf, headerWithoutContent, readMimePart } from './mime-part.js';
import { signedContent } from './signed-content.js';
import { isTnef, readTnef } from './tnef.js';
import { isSavedPage, pageOf, stylesOf } from './saved-page.js';
import { correctTextParts } from './text-parts.js';
import { writePage } from './write-page.js';

/** The whole message and its decoded parts are in memory at once; this is what a child can hold. */
const MAX_BYTES = 48 * 1024 * 1024;

/** Internet messages (RFC 5322): header, body and attachments; attached messages are read as attachments. */
export const parseEml: FormatParser = async (input, output) => {
  if (input.sizeBytes > MAX_BYTES) throw tooLarge();
  const file = withoutSignature(readFileSync(input.path));
  const message = readMimePart(file);
  const page = isSavedPage(message) ? pageOf(message) : undefined;
  if (page !== undefined) return writePage(page, input, output, stylesOf(message));
  const bytes = await correctTextParts(await repairUndeclared(file, input.path));
  const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 64 });
  if (!isMessage(email)) {
    const detail = 'The file has no header of a message; it was read as plain text.';
    return { ...(await parsePlainText(input, output)), warnings: [{ code: 'MALFORMED_MESSAGE', detail }] };
  }
  return writeMail(messageOf(email), input, output);
};

/** A message that is packed with its signature, as the message that it was before; all others as they are. */
function withoutSignature(file: Buffer): Buffer {
  const part = readMimePart(file);
  if (!/^application\/(?:x-)?pkcs7-mime$/.test(essenceOf(part.headers.get('content-type')))) return file;
  const content = signedContent(decodeBody(part));
  if (content === undefined) return file;
  return Buffer.concat([Buffer.from(`${headerWithoutContent(part, true)}\r\n`, 'latin1'), content]);
}

function tooLarge(): ParseError {
  const mebibytes = MAX_BYTES / 1024 / 1024;
  return new ParseError(
    'PARSER_MEMORY',
    `The message is larger than ${mebibytes} MiB; save its attachments and upload them one by one.`,
  );
}

function isMessage({ headers }: Email): boolean {
  const names = new Set(headers.map(({ key }) => key));
  return ['from', 'to', 'subject', 'date', 'received', 'message-id', 'content-type'].some((name) => names.has(name));
}

function messageOf(email: Email): MailMessage {
  const headers: [string, string][] = [
    ['From', addressText(email.from)],
    ['To', addressesText(email.to)],
    ['Cc', addressesText(email.cc)],
    ['Date', dateText(email)],
  ];
  const packed = email.attachments
    .map(attachmentOf)
    .map((file) => ({ file, content: isTnef(file) ? readTnef(file.read()) : undefined }));
  const words = packed.map(({ content }) => content?.text ?? '').find((text) => /\S/.test(text));
  const hasBody = /\S/.test(email.text ?? '') || /\S/.test(email.html ?? '');
  return {
    subject: email.subject,
    headers: headers.filter(([, value]) => value !== ''),
    text: hasBody ? email.text : (words ?? email.text),
    html: email.html,
    attachments: packed.flatMap(({ file, content }) => content?.attachments ?? [file]),
  };
}

/** The date as it is in the message: with the sender's own clock and zone. */
function dateText({ headers, date }: Email): string {
  return headers.find(({ key }) => key === 'date')?.value ?? date ?? '';
}

function addressesText(addresses: readonly Address[] | undefined): string {
  return (addresses ?? []).map(addressText).join(', ');
}

function addressText(address: Address | undefined): string {
  if (address === undefined) return '';
  if (address.group !== undefined) return `${address.name}: ${addressesText(address.group)};`;
  if (address.name === '' || address.name === address.address) return address.address;
  return address.address === '' ? address.name : `${address.name} <${address.address}>`;
}

function attachmentOf({ filename, description, mimeType, related, disposition, content }: Attachment): MailAttachment {
  return {
    name: filename ?? (mimeType === 'message/rfc822' ? '' : (description ?? '')),
    mediaType: mimeType,
    isInline: related === true || disposition === 'inline',
    read: () => {
      if (typeof content === 'string') return Buffer.from(content);
      return content instanceof Uint8Array ? content : new Uint8Array(content);
    },
  };
}
