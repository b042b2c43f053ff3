import type { MailAttachment } from './mail-message.js';

/** What Outlook packs into `winmail.dat` (MS-OXTNEF): the files, and the words of the message where they are kept as plain text. */
export interface TnefContent {
  readonly text: string | undefined;
  readonly attachments: readonly MailAttachment[];
}

const SIGNATURE = 0x22_3e_9f_78;
/** Signature and key. */
const HEAD_BYTES = 6;
/** Level, attribute, length; behind the data a checksum of two bytes follows. */
const ATTRIBUTE_HEAD_BYTES = 9;
const CHECKSUM_BYTES = 2;
const BODY = 0x02_80_0c;
const ATTACHMENT_BEGINS = 0x06_90_02;
const ATTACHMENT_NAME = 0x01_80_10;
const ATTACHMENT_DATA = 0x06_80_0f;
const MOST_ATTACHMENTS = 1_000;

/** Whether an attachment is such a package. */
export function isTnef({ name, mediaType }: MailAttachment): boolean {
  return /^application\/(?:vnd\.)?ms-tnef$/.test(mediaType) || /(?:^|[/\\])winmail\.dat$/i.test(name);
}

/** Reads a package; undefined where it is none. One that is cut gives what was whole. */
export function readTnef(source: Uint8Array): TnefContent | undefined {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.length < HEAD_BYTES || bytes.readUInt32LE(0) !== SIGNATURE) return undefined;
  const files: { name: string; content: Buffer | undefined }[] = [];
  let text: string | undefined;
  for (let at = HEAD_BYTES; at + ATTRIBUTE_HEAD_BYTES <= bytes.length;) {
    const attribute = bytes.readUInt32LE(at + 1) & 0xff_ff_ff;
    const from = at + ATTRIBUTE_HEAD_BYTES;
    const end = from + bytes.readUInt32LE(at + 5);
    if (end > bytes.length) break;
    const data = bytes.subarray(from, end);
    const file = files.at(-1);
    if (attribute === ATTACHMENT_BEGINS && files.length < MOST_ATTACHMENTS)
      files.push({ name: '', content: undefined });
    else if (attribute === ATTACHMENT_NAME && file !== undefined) file.name = textOf(data);
    else if (attribute === ATTACHMENT_DATA && file !== undefined) file.content = data;
    else if (attribute === BODY) text = textOf(data);
    at = end + CHECKSUM_BYTES;
  }
  const attachments = files.flatMap(({ name, content }): MailAttachment[] =>
    content === undefined
      ? []
      : [{ name, mediaType: 'application/octet-stream', isInline: false, read: () => content }],
  );
  return { text, attachments };
}

/** Texts end with a zero byte; without a code page they are Western, where they are no UTF-8. */
function textOf(data: Buffer): string {
  const end = data.indexOf(0);
  const bytes = end < 0 ? data : data.subarray(0, end);
  const utf8 = bytes.toString('utf8');
  return utf8.includes('\ufffd') ? new TextDecoder('windows-1252').decode(bytes) : utf8;
}
