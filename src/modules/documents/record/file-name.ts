import { toNormalForm } from '#libs/common';
import { decodeFileName, type SentFileName } from './file-name-encoding.js';

const LONGEST = 255;
const LONGEST_EXTENSION = 16;
/** Control characters, characters that change the writing direction, and invisible characters at the beginning or end of a name. */
// oxlint-disable-next-line no-control-regex -- they are what is taken out
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The name of an uploaded file; empty if no name was sent. */
export function fileNameOf(sent: SentFileName): string {
  return cleanFileName(decodeFileName(sent));
}

/**
 * A file name that is safe to store and show: no path, no control characters, NFC, at most 255 UTF-16 code units without half surrogate
 * pairs. Empty if nothing is left.
 */
export function cleanFileName(raw: string): string {
  const last = raw.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const name = toNormalForm(last.replace(UNSAFE, ''), 'NFC').trim();
  if (/^\.*$/.test(name)) return '';
  if (name.length <= LONGEST) return name;
  const extension = new RegExp(`\\.[^.\\s]{1,${LONGEST_EXTENSION}}$`).exec(name)?.[0] ?? '';
  return cutText(name, LONGEST - extension.length).trimEnd() + extension;
}

/** At most `length` UTF-16 code units of a well-formed text, whole characters only. */
function cutText(text: string, length: number): string {
  const isHalved = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isHalved ? length - 1 : length);
}

/** `Content-Disposition` for a download: an ASCII fallback and the exact name (RFC 6266, RFC 8187). */
export function contentDisposition(name: string): string {
  const safe = name.replace(/[\\/]/g, '_');
  const ascii = safe.replace(/[^\x20-\x7e]/gu, '_').replace(/["%]/g, '_');
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
