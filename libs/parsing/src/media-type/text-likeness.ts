import { isUtf8 } from 'node:buffer';
import { detectWideEncoding, readByteOrderMark } from '../charset/unicode-patterns.js';

/** Share of control bytes that a text may have; random and compressed bytes have some 10 %. */
const MAX_CONTROL_SHARE = 0.04;
/** This many control bytes are forgiven in any text, however short. */
const FORGIVEN_CONTROLS = 2;

/** Whether the beginning of a file can be text in some encoding. An empty head is text. */
export function looksLikeText(head: Buffer): boolean {
  if (readByteOrderMark(head) !== undefined || detectWideEncoding(head) !== undefined) return true;
  const text = withoutPadding(head);
  let controls = 0;
  for (const byte of text) if (isControl(byte)) controls += 1;
  if (controls <= FORGIVEN_CONTROLS && (controls === 0 || isUtf8(text))) return true;
  return controls <= text.length * MAX_CONTROL_SHARE && text.length >= 64;
}

/** Logs that a machine wrote while it lost power, and files of fixed size, end in NUL bytes. */
function withoutPadding(head: Buffer): Buffer {
  let end = head.length;
  while (end > 0 && head[end - 1] === 0) end -= 1;
  return end === 0 ? head : head.subarray(0, end);
}

/** C0 controls that do not occur in text files; tab, line feeds, backspace, escape (ISO-2022) and form feed do. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x1b && !(byte >= 0x08 && byte <= 0x0d)) || byte === 0x7f;
}

/** Whether text begins as an HTML document does. */
export function looksLikeHtml(head: Buffer): boolean {
  const start = head.subarray(0, 1024).toString('latin1').replaceAll('\0', '');
  return /^<(?:!doctype\s+html|html|head|body)\b/i.test(withoutComments(start));
}

/** Whether text begins with an element that only a part of an HTML document begins with: what programs on the web export without its frame. */
export function looksLikeHtmlPart(head: Buffer): boolean {
  const start = head.subarray(0, 2048).toString('latin1').replaceAll('\0', '');
  return /^<(?:table|thead|tbody|style|meta|title|center|div|font|span|br|hr|p|h[1-6])(?:\s[^<>]*)?\/?>/i.test(
    withoutComments(start),
  );
}

/** The text from the first thing on that is no comment. One expression for all comments would try every way to pair their marks. */
function withoutComments(text: string): string {
  let rest = text.replace(/^[\s\u00ef\u00bb\u00bf\u00ff\u00fe]+/, '');
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end === -1) return rest;
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

/** The type of text that has neither a telling name nor a declared type. */
export function typeOfText(
  head: Buffer,
):
  | 'text/html'
  | 'application/xml'
  | 'message/rfc822'
  | 'application/mbox'
  | 'multipart/related'
  | 'text/calendar'
  | 'text/vcard'
  | 'text/vtt'
  | 'text/plain' {
  if (looksLikeHtml(head)) return 'text/html';
  const start = head.subarray(0, 2048).toString('latin1').replaceAll('\0', '');
  if (/^(?:\u00ef\u00bb\u00bf)?WEBVTT(?:[ \t][^\r\n]*)?[\r\n]/.test(start)) return 'text/vtt';
  const [, directory] = /^(?:\u00ef\u00bb\u00bf)?BEGIN:V(CALENDAR|CARD)[ \t]*[\r\n]/i.exec(start) ?? [];
  if (directory !== undefined) return directory.toUpperCase() === 'CARD' ? 'text/vcard' : 'text/calendar';
  if (/^[\s\u00ef\u00bb\u00bf\u00ff\u00fe]*<\?xml\s/.test(start)) return 'application/xml';
  if (/^From \S[^\r\n]*\d\d:\d\d[^\r\n]*\d{4}[^\r\n]*\r?\n[\x21-\x39\x3b-\x7e]+:/.test(start))
    return 'application/mbox';
  const header = start.split(/\r?\n\r?\n/, 1)[0]!.replace(/\r?\n[ \t]+/g, ' ');
  if (looksLikeSavedPage(header)) return 'multipart/related';
  return looksLikeMail(header) ? 'message/rfc822' : 'text/plain';
}

/** Header lines alone, which say that a page and what belongs to it follow: browsers and wikis save pages so, without a sender or with one. */
function looksLikeSavedPage(header: string): boolean {
  return (
    header.split(/\r?\n/).every((line) => HEADER_LINE.test(line)) &&
    /^mime-version:/im.test(header) &&
    /^content-type:\s*multipart\/related/im.test(header) &&
    !/^(?:to|received|return-path):/im.test(header)
  );
}

const HEADER_LINE = /^[\x21-\x39\x3b-\x7e]+:/;

/** Three header lines of a message before anything else, the sender among them: no letter quotes them at its beginning. */
function looksLikeMail(header: string): boolean {
  const lines = header.split(/\r?\n/);
  const known = lines.filter((line) =>
    /^(?:from|to|subject|date|received|message-id|mime-version|return-path):/i.test(line),
  );
  const isHeader = lines.every((line, at) => HEADER_LINE.test(line) || at === lines.length - 1);
  return (
    isHeader &&
    known.length >= 3 &&
    known.some((line) => /^(?:from|received|return-path):/i.test(line)) &&
    /^(?:received|message-id|mime-version|return-path):/im.test(header)
  );
}
