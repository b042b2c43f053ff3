import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FieldsData } from '@kenjiuno/msgreader';
import { checkCompound } from '../../archive/check-compound.js';
import { createDecoder } from '../../charset/decode-file.js';
import { canonicalCharset } from '../../charset/charset-names.js';
import type { ParseWarning } from '../../document-parser.port.js';
import { ParseError } from '../../parse-error.js';
import type { FormatParser } from '../format-parser.js';
import { readMetaCharset } from '../html.parser.js';
import { writeMail, type MailAttachment, type MailMessage } from './mail-message.js';

/** The package is CommonJS, and loaders do not agree on what its default export is. */
const { default: MsgReader } = createRequire(import.meta.url)(
  '@kenjiuno/msgreader',
) as typeof import('@kenjiuno/msgreader');

type Reader = InstanceType<typeof MsgReader>;

/** Code pages of Windows whose number does not name an encoding. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  65001: 'utf-8',
  20127: 'us-ascii',
  20866: 'koi8-r',
  21866: 'koi8-u',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  28597: 'iso-8859-7',
  28605: 'iso-8859-15',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  936: 'gbk',
  932: 'shift_jis',
  949: 'euc-kr',
  950: 'big5',
  874: 'windows-874',
};

/** Messages of Outlook: header, body and attachments; attached messages are read as attachments. */
export const parseMsg: FormatParser = async (input, output) => {
  const bytes = readFileSync(input.path);
  checkCompound(bytes);
  const { reader, fields } = open(bytes);
  const result = await writeMail(messageOf(reader, fields), input, output);
  return { ...result, warnings: [...bodyWarnings(fields), ...(result.warnings ?? [])] };
};

/** Opens a message; strings that are no Unicode are read in the code page that the message names. */
function open(bytes: Buffer): { reader: Reader; fields: FieldsData } {
  const first = read(bytes);
  const encoding = charsetOf(first.fields);
  return encoding === undefined || encoding === 'utf-8' ? first : read(bytes, encoding);
}

function read(bytes: Buffer, ansiEncoding?: string): { reader: Reader; fields: FieldsData } {
  const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
  if (ansiEncoding !== undefined) reader.parserConfig = { ansiEncoding };
  const fields = orMalformed(() => reader.getFileData());
  if (fields.error !== undefined || fields.dataType !== 'msg') throw malformed();
  return { reader, fields };
}

/** The library throws whatever a broken file leads it to; a failed allocation is not the file's fault. */
function orMalformed<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError && /allocation failed/i.test(error.message)) throw error;
    throw malformed(error);
  }
}

function malformed(cause?: unknown): ParseError {
  return new ParseError(
    'MALFORMED',
    'The .msg file is not a message of Outlook, or is damaged; save it again from Outlook.',
    {
      cause,
    },
  );
}

function charsetOf({ messageCodepage, internetCodepage }: FieldsData): string | undefined {
  const page = messageCodepage ?? internetCodepage;
  return page === undefined ? undefined : canonicalCharset(CODE_PAGES[page] ?? `windows-${page}`);
}

function messageOf(reader: Reader, fields: FieldsData): MailMessage {
  const recipients = (type: string): string =>
    (fields.recipients ?? [])
      .filter(({ recipType }) => recipType === type)
      .map(({ name, smtpAddress, email }) => addressText(name, smtpAddress ?? email))
      .join(', ');
  const sender = addressText(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail);
  const headers: [string, string][] = [
    ['From', sender],
    ['To', recipients('to')],
    ['Cc', recipients('cc')],
    ['Date', fields.clientSubmitTime ?? fields.messageDeliveryTime ?? ''],
  ];
  return {
    subject: fields.subject,
    headers: headers.filter(([, value]) => value !== ''),
    text: fields.body,
    html: htmlOf(fields),
    attachments: (fields.attachments ?? []).map((file) => attachmentOf(reader, file)),
  };
}

function htmlOf(fields: FieldsData): string | undefined {
  if (fields.bodyHtml !== undefined) return fields.bodyHtml;
  if (fields.html === undefined) return undefined;
  const bytes = Buffer.from(fields.html);
  const declared = readMetaCharset(bytes.subarray(0, 4096));
  const name = (declared === undefined ? undefined : canonicalCharset(declared)) ?? charsetOf(fields) ?? 'utf-8';
  const decoder = createDecoder(name);
  return decoder.decode(bytes) + decoder.end();
}

function addressText(name: string | undefined, address: string | undefined): string {
  // Exchange's own addresses are paths of a directory that mean nothing outside of it.
  const mail = address === undefined || !address.includes('@') ? '' : address;
  if (name === undefined || name === '' || name === mail) return mail;
  return mail === '' ? name : `${name} <${mail}>`;
}

function attachmentOf(reader: Reader, file: FieldsData): MailAttachment {
  const isMessage = file.innerMsgContent === true;
  const name = file.fileName ?? file.fileNameShort ?? file.name ?? '';
  return {
    name: isMessage ? `${name === '' ? 'message' : name.replace(/\.msg$/i, '')}.msg` : name,
    mediaType: isMessage
      ? 'application/vnd.ms-outlook'
      : (file.attachMimeTag?.toLowerCase() ?? 'application/octet-stream'),
    isInline: file.attachmentHidden === true,
    read: () => orMalformed(() => reader.getAttachment(file)).content,
  };
}

function bodyWarnings(fields: FieldsData): ParseWarning[] {
  const hasBody = [fields.body, fields.bodyHtml].some((text) => /\S/.test(text ?? '')) || fields.html !== undefined;
  if (hasBody || fields.compressedRtf === undefined) return [];
  const detail = 'The message has its body only as compressed RTF, which was left out; save the message as .eml.';
  return [{ code: 'PARTIAL_CONTENT', detail }];
}
