const LONGEST = 255;
/** Control characters and those that turn the direction of writing. */
// oxlint-disable-next-line no-control-regex -- they are what is taken out
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A file name that is safe to keep and to show: no path, no control characters, NFC, at most 255 characters, never empty. */
export function cleanFileName(raw: string): string {
  const last = raw.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const name = last.replace(UNSAFE, '').normalize('NFC').trim();
  if (name === '' || name === '.' || name === '..') return 'unnamed';
  if (name.length <= LONGEST) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return name.slice(0, LONGEST - extension.length).toWellFormed() + extension;
}

/** `Content-Disposition` for a download: an ASCII fallback and the exact name (RFC 6266, RFC 8187). */
export function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
