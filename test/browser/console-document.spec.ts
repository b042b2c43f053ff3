import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../libs/parsing/src/testing/make-pdf.js';
import { ingestArchive, zipOf } from '../support/archive-files.js';
import { launchChromium } from '../support/chromium.js';
import { violationsOf } from '../support/console/accessibility.js';
import { ingest } from '../support/fixtures.js';
import { addMember, personOf } from '../support/people.js';
import { useService } from '../support/service-process.js';

const LINES = ['The lamp is lit at dusk.', 'The key hangs by the door.', 'The lamp is lit at dusk.'];
const HARBOURS = 'Harbour,Country,Berths\nNordhafen,Denmark,120\nPort Ambre,France,340\nCalla Vieja,Spain,95\n';
const NOTICE = 'The keeper hands over the log by notice in writing, three days before.';
const WATCH = `# The watch\n\n## 1. Lamp\n\nThe oil is changed on Mondays.\n\n## 2. Log\n\n${NOTICE}\n`;
const MASKED = '█'.repeat('anna@example.org'.length);
/** More sentences than the page shows at once: it shows them in parts. */
const SENTENCES = 600;

/** One document, as someone sees it who looks after it, and someone who only reads. */
describe('the document screen', () => {
  const service = useService();
  const faults: string[] = [];
  let browser: Browser;
  let page: Page;
  let reader: Page;
  let datasetId: string;
  let maskedId: string;

  beforeAll(async () => {
    const { admin } = service;
    datasetId = await admin.createDataset('Lighthouse', { acl: 'all_team_members' });
    maskedId = await admin.createDataset('Letters', { acl: 'all_team_members' });
    const detectors = [{ entity_type: 'email', action: 'mask', min_score: 0.5 }];
    await changePolicy(maskedId, 'governance', { detectors });
    const owner = await personOf(admin, service.process.admin.email);
    const { email } = await addMember(owner, 'reader@example.com', 'viewer');
    browser = await launchChromium();
    page = await enter(service.process.admin.email, service.process.admin.password);
    reader = await enter(email, 'a long enough password');
  });
  afterAll(() => browser?.close());

  const site = (path: string): string => new URL(path, service.process.url).href;

  async function enter(email: string, password: string): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    const made = await context.newPage();
    made.on('pageerror', (error) => faults.push(error.message));
    await made.goto(site('/'));
    await made.getByLabel('E-mail').fill(email);
    await made.getByLabel('Password', { exact: true }).fill(password);
    await made.getByRole('button', { name: 'Sign in' }).click();
    await made.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    return made;
  }

  async function changePolicy(dataset: string, part: string, changed: object): Promise<void> {
    const path = `/datasets/${dataset}/ingestion-policy`;
    const { policy } = await service.admin.get<{ policy: Readonly<Record<string, object>> }>(path);
    const answer = await service.admin.send('PUT', path, { ...policy, [part]: { ...policy[part], ...changed } });
    expect(answer.status).toBe(200);
  }

  const add = async (name: string, content: string | Buffer, dataset = datasetId): Promise<string> =>
    (await ingest(service.admin, dataset, { name, content })).id;
  const textOf = async (id: string): Promise<string> =>
    (await fetch(`${service.process.url}/documents/${id}/text`, { headers: service.admin.headers })).text();
  const open = (on: Page, id: string, query = '', dataset = datasetId): Promise<unknown> =>
    on.goto(site(`/d/${dataset}/documents/${id}${query}`));

  /** In both themes, as it is: no colour is on its way to another one. */
  async function isAccessible(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
  }

  async function comesIntoSight(on: Page, selector: string): Promise<void> {
    const isInSight = (): Promise<boolean> =>
      on
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= 900;
        });
    await expect.poll(isInSight).toBe(true);
  }

  it('marks the cited place in the page of a PDF, of two that say the same the right one', async () => {
    const id = await add('lamps.pdf', makePdf([{ lines: ['Nothing here.'] }, { lines: LINES }]));
    const from = (await textOf(id)).lastIndexOf('The lamp is lit');
    await open(page, id, `?page=2&from=${from}&to=${from + 15}`);
    const mark = page.locator('[data-cited]');
    await mark.first().waitFor({ timeout: 30_000 });
    expect(await mark.count()).toBe(1);
    const sheet = (await page.locator('canvas').boundingBox())!;
    const box = (await mark.boundingBox())!;
    // Its base line is 160 of 842 points below the top of the page.
    const line = (box.y + box.height / 2 - sheet.y) / sheet.height;
    expect(line).toBeGreaterThan(138 / 842);
    expect(line).toBeLessThan(168 / 842);
  });

  it('makes a page larger, with the cited place in sight, and turns to a page by its number', async () => {
    const canvas = page.locator('canvas');
    const fitting = (await canvas.boundingBox())!.width;
    await page.getByRole('button', { name: 'Larger' }).click();
    await page.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(async () => (await canvas.boundingBox())!.width).toBeCloseTo(2 * fitting, 0);
    // It is drawn anew, not stretched.
    await expect
      .poll(() => canvas.evaluate((one) => (one as unknown as { width: number }).width))
      .toBe(Math.floor((await canvas.boundingBox())!.width));
    await expect
      .poll(() => page.locator('[data-cited]').evaluate((mark) => mark.getBoundingClientRect().left))
      .toBeGreaterThan(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1440);
    await page.getByRole('button', { name: 'Smaller' }).click();
    await page.getByRole('button', { name: 'Smaller' }).click();
    await expect.poll(async () => (await canvas.boundingBox())!.width).toBeCloseTo(fitting, 0);
    await page.getByLabel('Page 2 of 2').fill('1');
    await page.keyboard.press('Enter');
    await page.getByLabel('Page 1 of 2').waitFor();
    await page.getByLabel('Page 1 of 2').fill('99');
    await page.keyboard.press('Enter');
    await page.getByLabel('Page 2 of 2').waitFor();
  });

  it('shows one side at a time on a phone, and nothing wider than it', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('canvas').waitFor();
    const sides = page.getByRole('region', { name: 'Original or text' });
    await sides.getByRole('button', { name: 'Text' }).click();
    await page.locator('canvas').waitFor({ state: 'hidden' });
    await page.locator('mark').first().waitFor();
    expect(page.url()).toContain('view=text');
    await page.getByLabel('Find in the text').fill('lamp');
    await page.getByText('1 of 2', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await sides.getByRole('button', { name: 'Original' }).click();
    await page.locator('canvas').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('opens a citation of an answer at its place in a text', async () => {
    await add('watch.md', WATCH);
    await reader.goto(site(`/d/${datasetId}/ask?q=${encodeURIComponent('How does the keeper hand over the log?')}`));
    const citation = reader.getByRole('link', { name: 'Source 1: open at its place' }).first();
    await citation.waitFor({ timeout: 60_000 });
    await citation.click();
    await reader.getByRole('heading', { name: 'watch.md' }).waitFor();
    await reader.locator('main mark').first().waitFor();
    expect(await reader.locator('main mark').first().textContent()).toContain('notice in writing');
    await comesIntoSight(reader, 'main mark');
  });

  it('shows headings of Markdown without their marks, and the cited place where it is in the text', async () => {
    const id = await add('guard.md', `${WATCH}\nAt dawn it is put out.\n`);
    const canonical = await textOf(id);
    expect(canonical).toContain('## 2. Log');
    const from = canonical.indexOf('2. Log');
    await open(page, id, `?from=${from}&to=${canonical.indexOf('by notice')}`);
    const mark = page.locator('mark').first();
    await mark.waitFor();
    expect(await mark.textContent()).toBe(canonical.slice(from, canonical.indexOf('by notice')));
    const shown = page.getByRole('region', { name: 'Text', exact: true });
    expect(await shown.locator('p').allTextContents()).not.toContainEqual(expect.stringContaining('#'));
    expect(await shown.locator('p b').allTextContents()).toEqual(expect.arrayContaining(['The watch', '2. Log']));
    const plain = await add('watch.txt', '# is a number sign here.');
    await open(page, plain);
    await shown.getByText('# is a number sign here.').waitFor();
  });

  it('draws tables of Markdown and of pages as tables, with a cited cell marked', async () => {
    const limits =
      '# Limits\n\n| Item | Limit |\n|---|---|\n| Hotel | 135 euros |\n| Taxi | **60** euros |\n\nAsk first.\n';
    const id = await add('limits.md', limits);
    const canonical = await textOf(id);
    const from = canonical.indexOf('135 euros');
    await open(page, id, `?from=${from}&to=${from + '135 euros'.length}`);
    const shown = page.getByRole('region', { name: 'Text', exact: true });
    await shown.getByRole('columnheader', { name: 'Limit', exact: true }).waitFor();
    expect(await shown.getByRole('cell').allTextContents()).toEqual(['Hotel', '135 euros', 'Taxi', '60 euros']);
    expect(await shown.locator('td mark').allTextContents()).toEqual(['135 euros']);
    await shown.getByText('Ask first.').waitFor();
    const html =
      '<p>Home | News</p><table><tr><th>Day</th><th>Hours</th></tr><tr><td>Friday</td><td>9 to 12</td></tr></table>';
    await open(page, await add('hours.html', html));
    await shown.getByRole('cell', { name: '9 to 12' }).waitFor();
    expect(await shown.getByRole('cell').count()).toBe(2);
  });

  it('has on a phone, too, its state in words, the file, and for who may, the way to delete it though it is fine', async () => {
    const name = 'a-name-that-is-longer-than-a-phone-is-wide-and-is-read-whole.md';
    const id = await add(name, '# Fine\n\nNothing is wrong with it.\n');
    await page.setViewportSize({ width: 360, height: 740 });
    await reader.setViewportSize({ width: 360, height: 740 });
    for (const one of [page, reader]) {
      await open(one, id);
      await one.getByRole('button', { name: 'Download' }).waitFor();
      await one.getByRole('banner').getByText('Searchable').waitFor();
      const heading = one.getByRole('heading', { name });
      expect(await heading.evaluate((title) => title.scrollWidth - title.clientWidth)).toBe(0);
      expect(await one.evaluate('document.documentElement.scrollWidth')).toBe(360);
    }
    expect(await reader.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`“${name}” is about to be deleted`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    for (const one of [page, reader]) await one.setViewportSize({ width: 1440, height: 900 });
  });

  it('opens a row of a table that was counted at its place in the sheet', async () => {
    const harbours = await service.admin.createDataset('Harbours', { acl: 'all_team_members' });
    await ingest(service.admin, harbours, { name: 'harbours.csv', content: HARBOURS, mediaType: 'text/csv' });
    const question = encodeURIComponent('Which harbour has the most berths?');
    await reader.goto(site(`/d/${harbours}/ask?q=${question}`));
    await reader.getByText(/^Made of/).click({ timeout: 60_000 });
    await reader
      .getByRole('link', { name: /Port Ambre/ })
      .first()
      .click();
    await reader.getByRole('heading', { name: 'harbours.csv' }).waitFor();
    const mark = reader.locator('main mark');
    await mark.first().waitFor();
    const marked = (await mark.allTextContents()).join('');
    expect(marked).toContain('Port Ambre');
    expect(marked).not.toContain('Nordhafen');
    expect(await reader.locator('main th').allTextContents()).toEqual(['Harbour', 'Country', 'Berths']);
  });

  it('searches within the text by the keyboard, over all its parts, under its address', async () => {
    const long = await service.admin.createDataset('Logs');
    await changePolicy(long, 'chunking', { strategy: 'recursive', chunk_size: 64, chunk_overlap: 8 });
    const lines = Array.from({ length: SENTENCES }, (_, n) => `Entry ${n}: the wind of watch ${n} came from the sea.`);
    const last = 'Entry of the Lantern: it was cleaned.';
    const id = await add('log.txt', `The lantern is new.\n\n${lines.join(' ')}\n\n${last}`, long);
    await open(page, id, '', long);
    const field = page.getByLabel('Find in the text');
    const here = page.locator('[data-hit="here"]');
    await field.fill('LANTERN');
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await here.filter({ hasText: /^lantern$/ }).waitFor();
    await isAccessible();
    await field.press('Enter');
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await here.filter({ hasText: /^Lantern$/ }).waitFor();
    await page.getByText(/^Part [2-9] of/).waitFor();
    await comesIntoSight(page, '[data-hit="here"]');
    await field.press('Shift+Enter');
    await page.getByText(/^Part 1 of/).waitFor();
    await page.reload();
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await field.press('Escape');
    expect(new URL(page.url()).searchParams.has('find')).toBe(false);
    await expect.poll(() => page.locator('[data-hit]').count()).toBe(0);
    const from = (await textOf(id)).indexOf(last);
    await open(page, id, `?from=${from}&to=${from + last.length}`, long);
    await page.locator('main mark').first().waitFor();
    expect((await page.locator('main mark').allTextContents()).join('')).toBe(last);
  });

  it('hides from who reads what the policy hides, and shows who may see findings where they are', async () => {
    const content = makePdf([{ lines: ['Write to anna@example.org', 'before the tour begins.'] }]);
    const id = await add('letter.pdf', content, maskedId);
    await open(reader, id, '', maskedId);
    await reader.getByText('documents.content_guarded').waitFor();
    await reader.getByText(MASKED).first().waitFor();
    await reader.getByText('the rules of the dataset may have hidden something').waitFor();
    expect(await reader.locator('[data-finding]').count()).toBe(0);
    expect(await reader.getByRole('heading', { name: 'Findings' }).count()).toBe(0);
    await open(page, id, '', maskedId);
    const finding = page.locator('[data-finding]');
    await finding.first().waitFor();
    expect(await finding.first().getAttribute('data-finding')).toBe('E-mail address: hidden');
    expect(await finding.allTextContents()).toEqual([MASKED]);
    await page.getByRole('link', { name: /^E-mail address: hidden/ }).click();
    await page.locator('[data-cited]').first().waitFor();
    expect(await page.locator('main mark').allTextContents()).toEqual([MASKED]);
    await isAccessible();
  });

  it('says that a PDF is broken, and which revision is shown instead of one that could not be read', async () => {
    const broken = '%PDF-1.4\nnothing of this is a PDF\n%%EOF\n';
    await open(page, await add('broken.pdf', broken));
    await page.getByText('This PDF cannot be drawn').waitFor();
    await page.getByText('No text could be read').waitFor();
    // Another attempt at a damaged file fails again.
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.getByText('This PDF cannot be drawn').waitFor();
    await page.locator('header').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/is about to be deleted/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    const id = await add('times.txt', 'Lit at eight.');
    const again = { name: 'times.txt', content: '' };
    await ingest(service.admin, datasetId, again, { on_same_name: 'new_revision' });
    await open(page, id);
    await page.getByText('Shown is revision 1. Revision 2 could not be read.').waitFor();
    await page.getByText('Lit at eight.').waitFor();
    const rows = page.locator('aside ol li');
    const chips = async (row: number): Promise<string[]> => rows.nth(row).locator('b ~ small').allTextContents();
    await rows.nth(1).waitFor();
    expect([await rows.count(), await chips(0), await chips(1)]).toEqual([2, ['latest'], ['shown']]);
    await page.getByText('Text and file can be opened of the shown revision only.').waitFor();
  });

  it('takes a mended file for one that could not be read, as the next revision of the same document', async () => {
    const id = await add('minutes.txt', '');
    await open(page, id);
    await page.getByRole('button', { name: 'Upload a corrected file' }).waitFor();
    await page
      .getByLabel('Upload a corrected file in place of minutes.txt')
      .setInputFiles({ name: 'minutes (1).txt', mimeType: 'text/plain', buffer: Buffer.from('The lamp was lit.') });
    await page.getByText('The lamp was lit.').waitFor();
    expect(await page.getByRole('button', { name: 'Upload a corrected file' }).count()).toBe(0);
    expect(await service.admin.get(`/documents/${id}`)).toMatchObject({ name: 'minutes.txt', revision: 2 });
  });

  it('takes a newer file in place of one that is read, in its folder and under its name', async () => {
    const { id } = await ingest(
      service.admin,
      datasetId,
      { name: 'tides.txt', content: 'High water at six.' },
      { path: 'tables/tides.txt' },
    );
    await open(page, id);
    await page.getByText('High water at six.').waitFor();
    await page.getByRole('button', { name: 'Upload a new revision' }).waitFor();
    await page
      .getByLabel('Upload a new revision of tides.txt')
      .setInputFiles({ name: 'tides-2027.txt', mimeType: 'text/plain', buffer: Buffer.from('High water at seven.') });
    await page.getByText('High water at seven.').waitFor();
    const tray = page.getByRole('complementary', { name: 'Uploads' });
    await tray.getByText('1 replaced a former file').waitFor();
    expect(await tray.getByText(/sent/).count()).toBe(0);
    const document = { name: 'tides.txt', path: 'tables/tides.txt', revision: 2 };
    expect(await service.admin.get(`/documents/${id}`)).toMatchObject(document);
    await open(reader, id);
    await reader.getByText('High water at seven.').waitFor();
    expect(await reader.getByRole('button', { name: 'Upload a new revision' }).count()).toBe(0);
  });

  it('says which document has the content of a file that was to mend another one', async () => {
    await add('log.txt', 'The log of the keeper.');
    const id = await add('letter.txt', '');
    await open(page, id);
    await page
      .getByLabel('Upload a corrected file in place of letter.txt')
      .setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('The log of the keeper.') });
    await page.getByRole('heading', { name: 'The file is already here' }).waitFor();
    await page.getByText('already here as log.txt').waitFor();
    expect(await service.admin.get(`/documents/${id}`)).toMatchObject({ name: 'letter.txt', status: 'failed' });
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('leads from an archive to its files and from a file to its archive', async () => {
    const { id } = await ingestArchive(
      service.admin,
      datasetId,
      zipOf({ 'north/oil.txt': 'Oil is bought in May.', 'rope.txt': 'Rope is bought in June.' }),
      {},
      'stores.zip',
    );
    await open(page, id);
    await page.getByText('An archive with 2 files').waitFor();
    await page.getByRole('link', { name: 'north/oil.txt' }).click();
    await page.getByText('Oil is bought in May.').first().waitFor();
    await page.locator('header').getByRole('link', { name: 'stores.zip' }).click();
    await page.getByText('An archive with 2 files').waitFor();
    expect(new URL(page.url()).pathname).toContain(id);
    await page.getByRole('link', { name: 'rope.txt' }).click();
    await page.getByText('Rope is bought in June.').first().waitFor();
    // A file of an archive comes with it.
    expect(await page.getByRole('button', { name: 'Upload a new revision' }).count()).toBe(0);
    await page.goto(site(`/d/${datasetId}/documents?q=oil`));
    await page.getByRole('row', { name: 'oil.txt' }).getByText('stores.zip/north/').waitFor();
  });

  it('repeats the names of the columns above the rows with which a part of a sheet goes on', async () => {
    const sheets = await service.admin.createDataset('Tides');
    await changePolicy(sheets, 'chunking', { strategy: 'recursive', chunk_size: 64, chunk_overlap: 0 });
    const rows = Array.from({ length: 40 }, (_, day) => `${day + 1},${day + 3}:10,${day + 9}:40`);
    await open(page, await add('tides.csv', `Day,Low water,High water\n${rows.join('\n')}\n`, sheets), '', sheets);
    const heads = page.locator('main thead');
    await heads.nth(1).waitFor();
    expect(await heads.count()).toBe(await page.locator('main table').count());
    expect(await heads.nth(1).locator('th').allTextContents()).toEqual(['Day', 'Low water', 'High water']);
  });

  it('finds words of Markdown across its marks, and not in its addresses', async () => {
    const text = '# Team\n\nThe **tower team** answers in [the log](https://log.example/tower).\n';
    await open(page, await add('team.md', text));
    const field = page.getByLabel('Find in the text');
    await field.fill('tower team answers');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await field.fill('tower');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('https');
    await field.press('Escape');
  });

  it('says of a document that is deleted or not for the reader that it is not here', async () => {
    const own = await service.admin.createDataset('Private', { acl: 'only_me' });
    const secret = await add('own.txt', 'The safe is behind the clock.', own);
    await open(reader, secret, '', own);
    await reader.getByText('Not here, or not for you.').waitFor();
    expect(await reader.getByText('safe').count()).toBe(0);
    const gone = await add('gone.txt', 'The old lamp was sold.');
    await open(reader, gone);
    await reader.getByText('The old lamp was sold.').waitFor();
    await service.admin.send('DELETE', `/documents/${gone}`);
    await reader.reload();
    await reader.getByText('Not here, or not for you.').waitFor();
  });

  it('sets a text from right to left where it is written so, and cuts a tag that is longer than a phone is wide', async () => {
    const content = 'يفتح المستودع في الساعة السادسة والنصف صباحا.';
    const { id } = await service.admin.upload(datasetId, { name: 'notice.txt', content }, { tags: 'q'.repeat(100) });
    await service.admin.pollUntilTerminal(id);
    await open(page, id);
    const line = page.getByText('يفتح المستودع').first();
    await line.waitFor();
    const gap = await line.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      const paragraph = element.closest('p')!.getBoundingClientRect();
      return Math.round(paragraph.right - range.getBoundingClientRect().right);
    });
    expect(gap).toBeLessThan(2);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByTitle('q'.repeat(100)).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('changes the tags of a document where it is read, for who writes', async () => {
    const content = 'The foghorn is sounded by hand.';
    const { id } = await service.admin.upload(datasetId, { name: 'foghorn.txt', content }, { tags: 'old' });
    await service.admin.pollUntilTerminal(id);
    await open(page, id);
    const tags = page.locator('section', { has: page.getByRole('heading', { name: 'Tags' }) });
    await tags.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Add, separated by commas').fill('horn');
    await page.getByRole('dialog').getByRole('button', { name: /^old/ }).click();
    await page.getByLabel('Add, separated by commas').press('Enter');
    await tags.getByTitle('horn', { exact: true }).waitFor();
    expect(await tags.getByTitle('old').count()).toBe(0);
    expect(await service.admin.get(`/documents/${id}`)).toMatchObject({ tags: ['horn'] });
    await open(reader, id);
    await reader.getByTitle('horn', { exact: true }).waitFor();
    expect(await reader.getByRole('button', { name: 'Change' }).count()).toBe(0);
  });

  it('draws a picture of any kind from an address that is no page of the console', async () => {
    const script = '<script>document.documentElement.setAttribute("width", "77")</script>';
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><text y="20">Lamp</text>${script}</svg>`;
    await open(page, await add('lamp.svg', drawing));
    const picture = page.getByRole('img', { name: 'lamp.svg' });
    await picture.waitFor();
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml/);
    await expect.poll(() => picture.evaluate('document.querySelector("main img").naturalWidth')).toBe(40);
  });

  it('has had no fault', () => {
    expect(faults).toEqual([]);
  });
});
