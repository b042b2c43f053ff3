/**
 * A line of CSV by RFC 4180, with its end. A text that a spreadsheet would take for a formula begins with an apostrophe (OWASP, CSV
 * injection).
 */
export function csvLine(fields: readonly (string | number | boolean | null)[]): string {
  return `${fields.map(toField).join(',')}\r\n`;
}

function toField(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
