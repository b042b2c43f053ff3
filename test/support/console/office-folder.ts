import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixture = (path: string): string => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

const COPIED: readonly (readonly [string, string])[] = [
  ['documents/report.pdf', 'reports/annual-report.pdf'],
  ['documents/handbook.md', 'handbook.md'],
  ['documents/policy.txt', 'policy.txt'],
  ['documents/faq.html', 'web/faq.html'],
  ['documents/guide.docx', 'guide.docx'],
  ['documents/notice.ja.txt', 'notices/notice.ja.txt'],
  ['documents/notice.th.txt', 'notices/notice.th.txt'],
  ['field/01-year-headers/staffing.xlsx', 'tables/staffing.xlsx'],
  ['field/05-pdf-table-continued/parts.pdf', 'tables/parts.pdf'],
  ['field/06-csv-with-title-lines/export.csv', 'tables/export.csv'],
  ['field/07-mail-thread/mail0.eml', 'mail/mail0.eml'],
  ['field/07-mail-thread/mail1.eml', 'mail/mail1.eml'],
  ['field/08-short-help-page/returns.html', 'web/returns.html'],
  ['field/15-number-format-locale/contracts.xlsx', 'tables/contracts.xlsx'],
];

/** Files that nothing can be read of, each for a reason of its own. */
export const BROKEN: Readonly<Record<string, string | Buffer>> = {
  'empty.md': '',
  'reports/broken.pdf': '%PDF-1.4\nnothing of this is a PDF\n%%EOF\n',
  'cut-off.docx': Buffer.from('504b030414000600080000002100', 'hex'),
};

export const FILES = 60;
export const BROKEN_FILES = Object.keys(BROKEN).length;

/** A folder of an observatory's office: files of many kinds, of which three cannot be read. */
export async function layOutOffice(folder: string): Promise<void> {
  for (const name of ['reports', 'web', 'notices', 'tables', 'mail', 'orders']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  for (const [from, to] of COPIED) await cp(fixture(from), join(folder, to));
  for (const [name, content] of Object.entries(BROKEN)) await writeFile(join(folder, name), content);
  const rest = FILES - COPIED.length - BROKEN_FILES;
  for (let number = 1; number <= rest; number += 1) {
    await writeFile(
      join(folder, `orders/order-${number}.txt`),
      `Order ${number} of the workshop: ${number * 3} gearboxes for telescope mount ${number}.\n`,
    );
  }
}
