import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKEN_FILES, FILES, layOutOffice } from '../support/console/office-folder.js';
import { Visitor } from '../support/console/visitor.js';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

const QUESTION = 'By how much did the consumption of electricity fall?';
const COLLEAGUE = { email: 'colleague@example.com', password: 'seven-gearboxes-in-the-dome' };

/** The first hour of a person who has never seen the console: one step after the other, as he would take them. */
describe('the first hour at the console', () => {
  const service = useService();
  let browser: Browser;
  let me: Visitor;
  let page: Page;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-office-'));
    await layOutOffice(join(folder, 'office'));
    browser = await launchChromium();
    me = await Visitor.arrive(browser, service.process.url, service.process.admin);
    ({ page } = me);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const makeDataset = async (name: string, sight: string): Promise<void> => {
    await page.getByRole('main').getByRole('button', { name: 'New dataset' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel(sight).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('No documents yet').first().waitFor();
  };

  it('signs in', async () => {
    await page.goto(new URL('/', service.process.url).href);
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    expect(await page.title()).toContain('Ask all documents');
  });

  it('asks before there is a dataset, makes one there, and finds her question in it', async () => {
    await page.getByLabel('Ask a question').fill('How long do we rest?');
    await page.keyboard.press('Enter');
    await page.getByText('Your question “How long do we rest?” is kept.').waitFor();
    await makeDataset('My drafts', 'Only me');
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    expect(await page.getByLabel('Ask a question').inputValue()).toBe('How long do we rest?');
  });

  it('makes a dataset for all, too', async () => {
    await page.getByRole('link', { name: 'Ask all documents' }).click();
    await makeDataset('Observatory', 'All members');
    await page.getByText('All members will see them').first().waitFor();
    expect(await page.title()).toContain('Observatory');
  });

  it(`drops a folder of ${FILES} files`, async () => {
    await page.locator('input[type=file][webkitdirectory]').setInputFiles(join(folder, 'office'));
    await page.getByText(`${FILES} files uploaded`).waitFor({ timeout: 90_000 });
    await page.getByRole('button', { name: 'Close' }).click();
    await page
      .getByText(`${FILES - BROKEN_FILES} of ${FILES} searchable, ${BROKEN_FILES} failed`)
      .first()
      .waitFor({ timeout: 120_000 });
    const { items } = await service.admin.get<{ items: readonly { path: string }[] }>('/documents/?limit=100');
    expect(items.map(({ path }) => path)).toContain('office/reports/annual-report.pdf');
  });

  it('reads why three failed', async () => {
    await page.getByRole('link', { name: `${BROKEN_FILES} failed` }).click();
    await page.locator(`[role=grid][aria-rowcount="${BROKEN_FILES + 1}"]`).waitFor();
    const reasons = await page.locator('[role=rowgroup] .state').allInnerTexts();
    expect(reasons).toHaveLength(BROKEN_FILES);
    for (const reason of reasons) expect(reason.trim()).toMatch(/\w+ \w+ \w+/);
    expect(new Set(reasons).size).toBe(BROKEN_FILES);
    await page.getByText('broken.pdf').first().click();
    await page.getByRole('heading', { name: 'broken.pdf' }).waitFor();
    await page.locator('main aside').waitFor();
    await page.getByRole('link', { name: 'To the list of documents' }).click();
  });

  it('asks, and opens a citation at its page', async () => {
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByLabel('Ask a question').fill(QUESTION);
    await page.keyboard.press('Enter');
    const citation = page.getByRole('link', { name: 'Source 1: open at its place' }).first();
    await citation.waitFor({ timeout: 30_000 });
    expect(await page.locator('.answer').innerText()).toContain('23 percent');
    await citation.click();
    await page.locator('[data-cited]').first().waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.getByLabel('Page 2 of 3').waitFor();
    await page.locator('main mark', { hasText: '23 percent' }).first().waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await citation.waitFor();
  });

  it('searches, sees why one passage is missing, and takes the suggestion', async () => {
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByLabel('Words or a question').fill('order gearboxes mount');
    await page.keyboard.press('Enter');
    await page.locator('main ol li').first().waitFor();
    await page.getByRole('link', { name: 'Something is missing?' }).click();
    await page.getByLabel('Words that stand in it').fill('Two comets were recovered on their return');
    await page.keyboard.press('Enter');
    await page.getByText('Stage', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Search this way' }).first().click();
    await page.getByText('Two comets were recovered').first().waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/search$/);
  });

  it('invites a colleague on the People screen, who accepts by the link and sees only what he may', async () => {
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill(COLLEAGUE.email);
    await page.getByRole('dialog').getByLabel('viewer').check();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByRole('textbox', { name: 'Link of the invitation' }).inputValue();
    await page.getByRole('button', { name: 'I have the link' }).click();
    const colleague = await Visitor.arrive(browser, service.process.url, COLLEAGUE);
    await colleague.openOutside(link);
    await colleague.page.getByLabel('New password').fill(COLLEAGUE.password);
    await colleague.page.getByRole('button', { name: /^Join / }).click();
    await colleague.page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    const shared = colleague.page.getByRole('main').getByRole('link', { name: 'Observatory', exact: true });
    await shared.waitFor();
    expect(await colleague.page.getByText('My drafts').count()).toBe(0);
    await shared.click();
    // Who only reads lands on Ask.
    await colleague.page.waitForURL(/\/ask$/);
    await colleague.page
      .getByRole('link', { name: /^Documents/ })
      .first()
      .click();
    await colleague.page.getByRole('grid').waitFor();
    expect(await colleague.page.getByRole('button', { name: 'Upload files' }).count()).toBe(0);
    expect(await colleague.page.getByRole('link', { name: 'Search', exact: true }).count()).toBe(0);
    await colleague.page.getByRole('link', { name: 'Ask', exact: true }).click();
    await colleague.page.getByLabel('Ask a question').fill(QUESTION);
    await colleague.page.keyboard.press('Enter');
    await colleague.page.getByText('23 percent').first().waitFor();
    const drafts = await service.admin.get<{ items: readonly { id: string; name: string }[] }>('/datasets/');
    const hidden = drafts.items.find(({ name }) => name === 'My drafts')!;
    await colleague.go(`/d/${hidden.id}/documents`);
    await colleague.page.getByText('Not here, or not for you').waitFor();
    expect(colleague.witnessed).toEqual([]);
    await colleague.leave();
    await page.reload();
    const members = page.getByRole('list', { name: 'Members' }).getByRole('listitem');
    await members.filter({ hasText: COLLEAGUE.email }).filter({ hasText: 'viewer' }).waitFor();
    await page.getByText('Nobody is invited at this moment.').waitFor();
  });

  it('has met no fault of a page', () => {
    expect(me.witnessed).toEqual([]);
  });
});
