import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { Visitor } from '../support/console/visitor.js';
import { ingest } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const QUESTION = 'When is the lamp of the pier lit?';
const LONG = { timeout: 60_000 };

/** Pages that are open while the service starts again: what they show stays, and they go on by themselves. */
describe('a service that starts again in the middle of work', () => {
  const service = useService();
  let browser: Browser;
  let me: Visitor;
  let datasetId: string;
  let documentId: string;

  beforeAll(async () => {
    datasetId = await service.admin.createDataset('Piers');
    const file = { name: 'pier.md', content: '# Pier\n\nThe lamp of the pier is lit at six in the evening.' };
    ({ id: documentId } = await ingest(service.admin, datasetId, file));
    browser = await launchChromium();
    me = await Visitor.arrive(browser, service.process.url, service.process.admin);
    await me.open('/');
  });
  afterAll(async () => {
    await browser?.close();
  });

  const openPage = async (address: string): Promise<Page> => {
    const page = await me.context.newPage();
    await page.goto(new URL(address, service.process.url).href);
    return page;
  };

  it('leaves lists, documents and dialogs as they are, says what happens, and answers the question afterwards', async () => {
    const list = await openPage(`/d/${datasetId}/documents`);
    await list.getByRole('row', { name: /pier\.md/ }).waitFor();
    const document = await openPage(`/d/${datasetId}/documents/${documentId}`);
    await document.getByText('is lit at six').first().waitFor();
    const people = await openPage('/people');
    await people.getByRole('button', { name: 'Invite' }).click();
    await people.getByLabel('E-mail').fill('half@example.com');
    const ask = await openPage(`/d/${datasetId}/ask`);
    await ask.getByLabel('Ask a question').fill(QUESTION);

    await service.process.stop();
    await ask.keyboard.press('Enter');
    await ask.getByText('asked again by itself').waitFor(LONG);
    for (const page of [list, ask]) await page.getByText('This page goes on by itself').first().waitFor(LONG);
    // Longer than a page tries by itself before it takes a fetch for failed.
    await list.waitForTimeout(15_000);
    await list.getByRole('row', { name: /pier\.md/ }).waitFor();
    await list.getByRole('link', { name: 'Ask', exact: true }).waitFor();
    expect(await document.getByText('is lit at six').first().isVisible()).toBe(true);
    expect(await people.getByLabel('E-mail').inputValue()).toBe('half@example.com');

    await service.process.start();
    await ask.locator('.answer').getByText('at six in the evening').waitFor(LONG);
    expect(await ask.getByRole('heading', { name: QUESTION }).count()).toBe(1);
    for (const page of [list, ask]) await page.getByText('This page goes on by itself').waitFor({ state: 'hidden' });
    await people.getByRole('button', { name: 'Make a link' }).click();
    await people.getByRole('textbox', { name: 'Link of the invitation' }).waitFor();
  });
});
