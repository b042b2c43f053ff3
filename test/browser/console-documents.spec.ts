import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../support/api-client.js';
import { BROKEN } from '../support/console/office-folder.js';
import { listenTo } from '../support/console/listening.js';
import { Visitor } from '../support/console/visitor.js';
import { launchChromium } from '../support/chromium.js';
import { copyDocumentRow } from '../support/many-documents.js';
import { addMember, addTenant, personOf } from '../support/people.js';
import { useService } from '../support/service-process.js';

const LONG = { timeout: 60_000 };
const MANY = 10_000;
/** More are never in the page, however long the list is. */
const MOST_ROWS = 200;
const GOOD = 5;

interface Listed {
  readonly items: readonly (DocumentRecord & { readonly tags: readonly string[]; readonly path: string })[];
  readonly total: number;
}

describe('the list of documents in a browser', () => {
  const service = useService();
  let browser: Browser;
  let me: Visitor;
  let page: Page;
  let folder: string;
  let datasetId: string;
  let readerEmail: string;
  let sent = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-list-'));
    await mkdir(join(folder, 'mixed'));
    for (const [name, content] of Object.entries(BROKEN))
      await writeFile(join(folder, 'mixed', basename(name)), content);
    for (let number = 1; number <= GOOD; number += 1) {
      await writeFile(join(folder, 'mixed', `pier-${number}.txt`), `Pier ${number} has a lamp and ${number} ladders.`);
    }
    datasetId = await service.admin.createDataset('Piers', { acl: 'all_team_members' });
    const owner = await personOf(service.admin, service.process.admin.email);
    ({ email: readerEmail } = await addMember(owner, 'reader@example.com', 'viewer'));
    browser = await launchChromium();
    me = await Visitor.arrive(browser, service.process.url, service.process.admin);
    ({ page } = me);
    page.on('request', (request) => {
      if (request.url().endsWith('/documents/upload')) sent += 1;
    });
    await me.open(`/d/${datasetId}/documents`);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const rows = () => page.locator('[role=rowgroup] [role=row]');
  const rowCount = (count: number) => page.locator(`[role=grid][aria-rowcount="${count + 1}"]`);
  const listed = (query = ''): Promise<Listed> =>
    service.admin.get<Listed>(`/documents/?dataset_id=${datasetId}&limit=100&${query}`);
  const chip = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name, exact: true });
  const dropFolder = (): Promise<void> =>
    page.locator('input[type=file][webkitdirectory]').setInputFiles(join(folder, 'mixed'));
  const chooseAll = async (): Promise<void> => {
    await rows().first().locator('input').waitFor();
    await rows().first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+End');
  };

  /** Short names that are not whole in the list. */
  const cutNames = (on: Page): Promise<string[]> =>
    on
      .locator('[role=gridcell] b')
      .evaluateAll((names) =>
        names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.innerHTML),
      );
  /** Whether something else lies over the row that has the focus, or it is out of sight. */
  const isFocusHidden = (): Promise<boolean> =>
    page.locator('[role=row]:focus').evaluate((row) => {
      const { left, right, top, height } = row.getBoundingClientRect();
      return [left + 60, right - 10].some(
        (x) => !row.contains(row.ownerDocument.elementFromPoint(x, top + height / 2)),
      );
    });

  it('says before an upload who will see the files', async () => {
    await page.getByText('All members will see them, at present 2.').waitFor();
    expect((await listed()).total).toBe(0);
  });

  it('takes a folder of which three files fail, each for a reason that can be read', async () => {
    await dropFolder();
    await page.getByText(`${GOOD + 3} files uploaded`).waitFor(LONG);
    expect(sent).toBe(GOOD + 3);
    await chip('Failed 3').click(LONG);
    await rowCount(3).waitFor();
    const reasons = await page.locator('[role=rowgroup] .state').allInnerTexts();
    for (const reason of reasons) expect(reason.trim()).toMatch(/\w+ \w+ \w+/);
    expect(new Set(reasons).size).toBe(3);
    expect(new URL(page.url()).searchParams.get('state')).toBe('failed');
  });

  it('sends nothing that is there already, also after the page was loaded again', async () => {
    await page.reload();
    await rowCount(3).waitFor();
    await writeFile(join(folder, 'mixed', 'pier-9.txt'), 'Pier 9 is new and has no lamp.');
    sent = 0;
    const before = (await listed()).total;
    await dropFolder();
    await page.getByText(`${GOOD} already here`).waitFor(LONG);
    await page.getByText(`${GOOD + 4} files uploaded`).waitFor(LONG);
    // The three that have failed are read once more where they are, and stay three.
    await page.getByText('3 read once more').waitFor();
    expect(sent).toBe(1);
    expect((await listed()).total).toBe(before + 1);
    const { items } = await listed('q=pier');
    expect(items).toHaveLength(GOOD + 1);
    for (const { id } of (await listed()).items) await service.admin.pollUntilTerminal(id);
  });

  it('says after the page was left which files never arrived, until that is read', async () => {
    await page.route('**/documents/upload', () => undefined);
    await writeFile(join(folder, 'late.txt'), 'A file that comes too late.');
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(join(folder, 'late.txt'));
    await page.getByRole('complementary', { name: 'Uploads' }).getByText('1 on their way').waitFor();
    await page.reload();
    await page.unroute('**/documents/upload');
    const note = page.getByRole('status').filter({ hasText: 'One file did not arrive' });
    await note.getByText('late.txt').waitFor();
    await page.goto(new URL('/', service.process.url).href);
    const tray = page.getByRole('complementary', { name: 'Uploads' });
    await tray.getByText('late.txt').waitFor();
    await tray.getByRole('link', { name: 'Piers' }).click();
    await tray.waitFor({ state: 'hidden' });
    await note.getByRole('button', { name: 'Do not show again' }).click();
    await note.waitFor({ state: 'hidden' });
    await page.reload();
    await rows().first().waitFor();
    expect(await note.count()).toBe(0);
  });

  it('leaves no names of files behind for who signs in next, and sends nothing as somebody else', async () => {
    await page.route('**/documents/upload', () => undefined);
    const secret = { name: 'salary.txt', mimeType: 'text/plain', buffer: Buffer.from('Nobody else reads this.') };
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(secret);
    await page.getByRole('complementary', { name: 'Uploads' }).getByText('1 on their way').waitFor();
    // The name is kept while the page lives, should it end without a word.
    const stored = (): Promise<string> => page.evaluate('JSON.stringify(localStorage)');
    await expect.poll(stored).toContain('salary.txt');
    await page.getByRole('button', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: 'One file is not uploaded yet' });
    await question.getByText('salary.txt').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await page.getByRole('complementary', { name: 'Uploads' }).getByText('1 on their way').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question.getByRole('button', { name: 'Sign out anyway' }).click();
    await page.getByLabel('E-mail').waitFor();
    expect(await stored()).not.toContain('salary');
    // Whoever stands before the page now reads how many, and finds no name of them in it.
    await page.getByText('One file was not uploaded').waitFor();
    expect(await page.content()).not.toContain('salary');
    await page.unroute('**/documents/upload');
    // Their person reads the names.
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const note = page.getByRole('status').filter({ hasText: 'One file did not arrive' });
    await note.getByText('salary.txt').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    expect(await page.content()).not.toContain('salary');
    const before = (await listed()).total;
    await me.open(`/d/${datasetId}/documents`);
    await rowCount(before).waitFor();
    expect(await note.count()).toBe(0);
    expect(await page.getByRole('complementary', { name: 'Uploads' }).count()).toBe(0);
    expect(await stored()).not.toContain('salary');
  });

  it('asks before signing out while another tab sends files, and without a question when all have arrived', async () => {
    const second = await me.context.newPage();
    await second.goto(new URL('/', service.process.url).href);
    const signOut = second.getByRole('button', { name: 'Sign out' });
    await signOut.waitFor();
    await page.route('**/documents/upload', () => undefined);
    const late = { name: 'beside.txt', mimeType: 'text/plain', buffer: Buffer.from('Sent in the first tab.') };
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(late);
    const stored = (): Promise<string> => page.evaluate('JSON.stringify(localStorage)');
    await expect.poll(stored).toContain('beside.txt');
    await signOut.click();
    const question = second.getByRole('dialog', { name: 'One file is not uploaded yet' });
    await question.getByText('One of them is sent in another tab or window.').waitFor();
    await question.getByRole('button', { name: 'Sign out anyway' }).click();
    // The tab that sent it says so too.
    await page.getByText('One file was not uploaded').waitFor();
    await page.unroute('**/documents/upload');
    await second.close();
    await me.open(`/d/${datasetId}/documents`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await me.open(`/d/${datasetId}/documents`);
  });

  it('sends files where they were chosen, also while another organisation is looked at', async () => {
    const elsewhere = await addTenant(service.admin, 'Elsewhere', 'elsewhere@example.com');
    const wanted = { email: service.process.admin.email, role: 'editor' };
    const { secret } = await elsewhere.client.post<{ secret: string }>(
      `/tenants/${elsewhere.tenantId}/members`,
      wanted,
    );
    await service.admin.post('/auth/invitations/accept', { secret });
    const dataset = await service.admin.createDataset('Locks');
    const visitor = await Visitor.arrive(browser, service.process.url, service.process.admin);
    await visitor.open(`/d/${dataset}/documents`);
    const organisation = visitor.page.getByLabel('Organisation');
    await organisation.waitFor();
    const here = await organisation.inputValue();
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    const cutOff = async (route: Route): Promise<void> => {
      await held;
      await route.abort();
    };
    await visitor.page.route('**/documents/upload', cutOff, { times: 1 });
    const isSent = visitor.page.waitForRequest('**/documents/upload');
    const file = { name: 'lock.txt', mimeType: 'text/plain', buffer: Buffer.from('Sent from elsewhere.') };
    await visitor.page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(file);
    await isSent;
    await organisation.selectOption({ label: 'Elsewhere' });
    // The first attempt comes to nothing; the second one is made while the other organisation is chosen.
    const tray = visitor.page.getByRole('complementary', { name: 'Uploads' });
    await tray.getByText('Files for “Locks”. Only you will see them.').waitFor();
    const again = visitor.page.waitForRequest('**/documents/upload');
    go();
    expect(await (await again).headerValue('X-Tenant-ID')).toBe(here);
    const arrived = (): Promise<Listed> => service.admin.get<Listed>(`/documents/?dataset_id=${dataset}`);
    await expect.poll(async () => (await arrived()).total).toBe(1);
    await visitor.context.close();
    await service.admin.delete(`/datasets/${dataset}`);
  });

  it('leaves a row that is chosen where it was pressed, so that the next press meets the next row', async () => {
    await me.open(`/d/${datasetId}/documents?q=pier`);
    await rowCount(GOOD + 1).waitFor();
    await rows().nth(2).locator('input').waitFor();
    const tops = (): Promise<number[]> =>
      rows().evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().top)));
    const before = await tops();
    const boxes = await Promise.all([0, 1, 2].map((nth) => rows().nth(nth).locator('input').boundingBox()));
    // Beside the box, too: its cell opens nothing.
    for (const [nth, box] of boxes.entries())
      await page.mouse.click(box!.x + (nth === 2 ? -4 : box!.width / 2), box!.y + (nth === 2 ? -4 : box!.height / 2));
    await page.getByText('3 selected').waitFor();
    expect(await tops()).toEqual(before);
    await page.keyboard.press('Escape');
  });

  it('keeps the focus in the list when the selection is gone, and chooses all rows by the usual keys', async () => {
    await rows().first().focus();
    await page.keyboard.press('Control+a');
    await page.getByText(`${GOOD + 1} selected`).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    const bar = page.getByRole('toolbar');
    await bar.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await bar.waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator('[role=row]:focus').count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false);
    expect((await listed('q=pier')).total).toBe(GOOD + 1);
  });

  it('does what it can with a selection, and says what was refused and why', async () => {
    await page.goto(new URL(`/d/${datasetId}/documents?q=pier-1`, service.process.url).href);
    await rowCount(1).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('');
    await rowCount((await listed()).total).waitFor();
    await chooseAll();
    // Another attempt at a damaged file fails again, and nothing is under way that could be stopped.
    expect(
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: /Retry|Stop/ })
        .count(),
    ).toBe(0);
    const bar = page.getByRole('toolbar');
    await bar.getByRole('button', { name: 'Read again' }).click();
    await page.getByText(`${GOOD + 1} documents are read again, 3 refused`).waitFor();
    const refused = await page.locator('.note', { hasText: 'refused' }).innerText();
    for (const name of Object.keys(BROKEN)) expect(refused).toContain(basename(name));
    expect(refused).toContain('not possible in the present state');
    for (const { id } of (await listed()).items) await service.admin.pollUntilTerminal(id);
  });

  it('sorts by name, keeps that in the address, and asks for each row once', async () => {
    const names = async (): Promise<readonly string[]> => rows().locator('b').allInnerTexts();
    const asked = async (order: string): Promise<readonly string[]> =>
      (await listed(`order_by=${order}`)).items.slice(0, 10).map(({ name }) => name);
    await me.open(`/d/${datasetId}/documents`);
    await rows().first().waitFor();
    await page.getByLabel('Order').selectOption({ label: 'Name, A to Z' });
    await expect.poll(async () => (await names()).slice(0, 10)).toEqual(await asked('name'));
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await expect.poll(async () => (await names()).slice(0, 10)).toEqual(await asked('-name'));
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await expect.poll(async () => (await names()).slice(0, 10)).toEqual(await asked('-name'));
  });

  it('says of a file whose content came with it under which name it is there', async () => {
    const buffer = Buffer.from('Two names for one sentence of the harbour.');
    const twins = ['twin-one.txt', 'twin-two.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer }));
    await page.locator('input[type=file]').first().setInputFiles(twins);
    await page.getByRole('button', { name: 'Make large' }).click();
    await page.getByText(/^already here as twin-(one|two)\.txt$/).waitFor(LONG);
    const { items } = await listed('q=twin');
    expect(items).toHaveLength(1);
    await service.admin.delete(`/documents/${items[0]!.id}`);
    await me.open(`/d/${datasetId}/documents`);
  });

  it('gives tags to a selection, filters by them, and keeps that in the address', async () => {
    await me.open(`/d/${datasetId}/documents?q=pier`);
    await rowCount(GOOD + 1).waitFor();
    await chooseAll();
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByLabel('Add, separated by commas').fill('harbour, lamps');
    await page.keyboard.press('Enter');
    await page.getByText(`${GOOD + 1} documents have their new tags`).waitFor();
    expect((await listed('tag=lamps')).total).toBe(GOOD + 1);
    await rows().first().getByText('lamps').waitFor();
    await me.open(`/d/${datasetId}/documents`);
    await page.getByRole('button', { name: 'More filters' }).click();
    await chip(/^lamps\s*6$/).click();
    await rowCount(GOOD + 1).waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('lamps');
    await page.reload();
    await rowCount(GOOD + 1).waitFor();
    await chip(/^lamps/).click();
    await rowCount((await listed()).total).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('says which filters have left nothing, and how many documents there are without them', async () => {
    const { total } = await listed();
    await me.open(`/d/${datasetId}/documents?state=failed&tag=lamps&q=zebra`);
    await page.getByText('Asked for: Failed · lamps · name or folder with “zebra”').waitFor();
    await page.getByText(`Without a filter there are ${total} documents.`).waitFor();
    await page.getByRole('button', { name: 'Without filters' }).click();
    await rowCount(total).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('quarantines with a reason and releases again, and a reader is offered none of this', async () => {
    await me.open(`/d/${datasetId}/documents?q=pier-9`);
    await rowCount(1).waitFor();
    await rows().first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Quarantine' }).click();
    await page.getByLabel('Reason').fill('It names a person');
    await page.keyboard.press('Enter');
    await page.getByText('One document is in quarantine').waitFor();
    expect((await listed('status=quarantined')).total).toBe(1);
    await page.getByRole('row', { name: /pier-9\.txt.*Kept back: It names a person/ }).waitFor();
    const credential = { email: readerEmail, password: 'a long enough password' };
    const reader = await Visitor.arrive(browser, service.process.url, credential);
    await reader.open(`/d/${datasetId}/documents`);
    await reader.page.getByRole('row').nth(1).waitFor();
    expect(await reader.page.getByRole('checkbox').count()).toBe(0);
    expect(await reader.page.getByText('Files that you upload here').count()).toBe(0);
    await reader.page.getByRole('row', { name: 'pier-9.txt' }).click();
    await reader.page.getByText('This document is in quarantine').waitFor();
    await reader.page.getByText('Kept back: It names a person').waitFor();
    for (const name of ['Download', 'Release']) expect(await reader.page.getByRole('button', { name }).count()).toBe(0);
    expect(await reader.page.getByRole('alert').count()).toBe(0);
    await reader.page.goBack();
    await reader.page.getByRole('row').nth(1).waitFor();
    for (const width of [1280, 900, 360]) {
      await reader.page.setViewportSize({ width, height: 900 });
      expect([width, await cutNames(reader.page)]).toEqual([width, []]);
    }
    await reader.leave();
    const bar = page.getByRole('toolbar');
    await rows().first().focus();
    await page.keyboard.press('Space');
    await bar.getByRole('button', { name: 'Release' }).waitFor();
    expect(await bar.getByRole('button', { name: 'Quarantine' }).count()).toBe(0);
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await rows().first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('Kept back: It names a person').waitFor();
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Kept back').waitFor({ state: 'hidden' });
    await page.getByText('One document is released').waitFor();
    expect((await listed('status=quarantined')).total).toBe(0);
  });

  it(`never has more than ${MOST_ROWS} of ${MANY} rows in the page`, async () => {
    const { id } = (await listed('q=pier-2')).items[0]!;
    await copyDocumentRow(service.process, id, MANY);
    await me.open(`/d/${datasetId}/documents?q=copy-`);
    await rowCount(MANY).waitFor(LONG);
    await rows().first().locator('input').waitFor();
    await rows().first().focus();
    for (const key of ['PageDown', 'PageDown', 'End', 'PageUp', 'Home', 'End']) {
      await page.keyboard.press(key);
      await page.locator('[role=row]:focus [role=gridcell]').first().waitFor(LONG);
      expect(await rows().count()).toBeLessThanOrEqual(MOST_ROWS);
    }
    // The list begins with the youngest.
    await page.getByRole('row', { name: 'copy-000001.txt' }).waitFor(LONG);
    await page.keyboard.press('Shift+PageUp');
    await page.getByText('21 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('21 selected').waitFor({ state: 'hidden' });
    expect(me.witnessed).toEqual([]);
  });

  it('keeps the row with the focus in sight, whatever is above the list', async () => {
    await me.open(`/d/${datasetId}/documents?q=copy-`);
    await rowCount(MANY).waitFor(LONG);
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('group', { name: 'Filters', exact: true }).waitFor();
    await rows().first().focus();
    for (const key of ['PageDown', 'PageDown', 'Space', 'PageUp', 'PageUp']) {
      await page.keyboard.press(key);
      await page.locator('[role=row]:focus [role=gridcell]').first().waitFor();
      expect([key, await isFocusHidden()]).toEqual([key, false]);
    }
  });

  it('keeps it above the uploads, too', async () => {
    await page.route('**/documents/upload', () => undefined);
    const late = { name: 'later.txt', mimeType: 'text/plain', buffer: Buffer.from('On its way for long.') };
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(late);
    await page.getByRole('button', { name: 'Make large' }).click();
    await rows().first().focus();
    for (const key of ['PageDown', 'PageDown', 'ArrowDown', 'End']) {
      await page.keyboard.press(key);
      await page.locator('[role=row]:focus [role=gridcell]').first().waitFor();
      // Also when the uploads grow behind the key.
      await expect.poll(isFocusHidden, { message: key }).toBe(false);
    }
    await page.unroute('**/documents/upload');
  });

  it('tells on a phone too why a file was refused', async () => {
    const detail = 'The file has 210 MB; at most 200 MB are taken.';
    const phone = await Visitor.arrive(browser, service.process.url, service.process.admin, { width: 360 });
    await phone.open(`/d/${datasetId}/documents?q=pier-2`);
    // Names may be there twice: the folder tells them apart.
    await phone.page.getByText('mixed/').first().waitFor();
    await phone.open(`/d/${datasetId}/documents`);
    await phone.page.route('**/documents/upload', (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify({ detail }) }),
    );
    const files = ['one', 'two'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }));
    await phone.page.locator('input[type=file]').first().setInputFiles(files);
    await phone.page.getByRole('heading', { name: '0 of 2 files uploaded' }).waitFor();
    expect(await phone.page.getByText(detail).first().isVisible()).toBe(false);
    await phone.page.getByRole('button', { name: 'Make large' }).click();
    await phone.page.getByText(detail).first().waitFor();
    await phone.page.unrouteAll();
    await phone.page.getByRole('button', { name: 'Retry' }).first().click();
    await phone.page.getByRole('heading', { name: '1 of 2 files uploaded' }).waitFor();
    await phone.leave();
  });

  it('has room for all five tabs and both buttons side by side on a phone, in the longer words of German too', async () => {
    const phone = await Visitor.arrive(browser, service.process.url, service.process.admin, {
      width: 360,
      language: 'de',
    });
    await phone.open(`/d/${datasetId}/documents`);
    const tabs = phone.page.locator('.tabs');
    await tabs.getByText('Einstellungen').waitFor();
    expect(await tabs.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0);
    const topOf = async (name: string): Promise<number> =>
      (await phone.page.getByRole('button', { name }).boundingBox())!.y;
    expect(await topOf('Dateien hochladen')).toBe(await topOf('Ordner hochladen'));
    await phone.context.close();
  });

  it('shows on a phone the folder of each document, whatever its state says, and its first row is near', async () => {
    const dataset = await service.admin.createDataset('Deep folders');
    const files = [
      { name: 'torn.pdf', content: '%PDF-1.7 torn', path: 'archive/of the north wing/2024/torn/torn.pdf' },
      {
        name: 'a-rather-long-name-of-a-report-of-the-keepers-2024.txt',
        content: 'All is well.',
        path: 'reports/well.txt',
      },
    ];
    for (const { path, ...file } of files) {
      await service.admin.pollUntilTerminal((await service.admin.upload(dataset, file, { path })).id);
    }
    const visitor = await Visitor.arrive(browser, service.process.url, service.process.admin, {
      width: 360,
      language: 'de',
    });
    await visitor.open(`/d/${dataset}/documents`);
    const { page: phone } = visitor;
    const first = phone.locator('[role=rowgroup] [role=row]').first();
    await first.waitFor();
    expect((await first.boundingBox())!.y).toBeLessThan(400);
    const folders = phone.locator('[role=gridcell] small');
    for (const shown of await folders.all()) {
      const { x, width } = (await shown.boundingBox())!;
      expect(width).toBeGreaterThan(40);
      expect(x + width).toBeLessThanOrEqual(360);
    }
    expect(await folders.count()).toBe(2);
    await visitor.context.close();
  });

  it('has on a phone the order, and all that can be done with a selection, in sight', async () => {
    const dataset = await service.admin.createDataset('Notes of a phone');
    for (let number = 0; number < 14; number += 1) {
      const file = { name: `note-${number}.txt`, content: `Pier ${number} is mended.` };
      await service.admin.pollUntilTerminal((await service.admin.upload(dataset, file)).id);
    }
    for (const width of [360, 768, 1024]) {
      const visitor = await Visitor.arrive(browser, service.process.url, service.process.admin, {
        width,
        language: 'de',
      });
      const { page: phone } = visitor;
      const isInSight = (): Promise<boolean> =>
        phone.evaluate<boolean>('eyes.lookAtFocus().isInSight && document.activeElement.tagName !== "BODY"');
      await visitor.open(`/d/${dataset}/documents`);
      await phone.locator('[role=rowgroup] [role=row]').first().waitFor();
      const order = phone.getByLabel('Reihenfolge');
      await order.focus();
      expect([width, 'order', await isInSight()]).toEqual([width, 'order', true]);
      await order.selectOption({ index: 2 });
      await phone.waitForURL(/order=name/);
      await phone.getByRole('checkbox').first().check();
      const bar = phone.getByRole('toolbar');
      for (const button of await bar.getByRole('button', { name: /^(Löschen|Auswahl aufheben)$/ }).all()) {
        const { x, width: wide } = (await button.boundingBox())!;
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + wide).toBeLessThanOrEqual(width);
      }
      if (width === 360) {
        for (const button of await bar.getByRole('button').all()) {
          const { x, width: wide } = (await button.boundingBox())!;
          expect([await button.innerText(), x >= 0 && x + wide <= width]).toEqual([await button.innerText(), true]);
        }
        // The last row can be scrolled from below the bar.
        await phone.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        const last = (await phone.locator('[data-index="13"]').boundingBox())!;
        expect(last.y + last.height).toBeLessThanOrEqual((await bar.boundingBox())!.y);
      }
      await bar.getByRole('button', { name: 'Löschen' }).click();
      await phone.getByRole('button', { name: /Rückgängig/ }).click();
      await visitor.context.close();
    }
  });

  it('selects all that a filter leaves, also what was not fetched yet', async () => {
    await me.open(`/d/${datasetId}/documents?q=copy-0003`);
    await rowCount(100).waitFor(LONG);
    await page.getByLabel('Name', { exact: true }).fill('copy-000');
    await rowCount(999).waitFor(LONG);
    await rows().first().locator('input').waitFor();
    await rows().first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Select all 999' }).click();
    await page.getByText('999 selected').waitFor(LONG);
    expect(new URL(page.url()).searchParams.get('q')).toBe('copy-000');
  });

  it('says to who does not see it how far uploads are, and not at every byte', async () => {
    await me.open(`/d/${datasetId}/documents?q=said`);
    await page.locator('main .empty').waitFor();
    await page.evaluate(listenTo('uploads'));
    const files = Array.from({ length: 12 }, (_, number) => ({
      name: `said-${number}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`Pier of the song ${number}. `.repeat(20_000)),
    }));
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(files);
    await page.getByText('12 files uploaded').waitFor(LONG);
    const said = await page.evaluate<string[]>('said');
    expect(said[0]).toBe('Uploading 12 files');
    expect(said.at(-1)).toBe('All 12 files have arrived.');
    expect(said.length).toBeLessThanOrEqual(5);
    expect(await page.locator('.tray [role=status]').count()).toBe(0);
    await page.getByRole('complementary', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();
  });

  it('makes a dataset with sample documents of several kinds, which can be asked and deleted', async () => {
    await me.open('/');
    await page.getByRole('button', { name: 'Try it with sample documents' }).click();
    await page.getByText('6 files uploaded').waitFor(LONG);
    await page.getByText('All 6 documents searchable').first().waitFor(LONG);
    await page.getByText('Files that you upload here become part of this dataset. Only you will see them.').waitFor();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByLabel('Ask a question').fill('How much does the insurance pay of the new battery?');
    await page.keyboard.press('Enter');
    await page.getByText('440 euros').first().waitFor(LONG);
    await me.open('/');
    await page.getByRole('link', { name: 'Sample documents' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Try it with sample documents' }).count()).toBe(0);
    expect(me.witnessed).toEqual([]);
  });
});
