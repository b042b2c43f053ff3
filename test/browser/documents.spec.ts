import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

const LONG = { timeout: 60_000 };

describe('the documents of a dataset in a browser', () => {
  const service = useService();
  const streams: string[] = [];
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let folder: string;
  let address: string;
  let datasetId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-documents-'));
    datasetId = await service.admin.createDataset('Piers');
    await service.admin.upload(datasetId, { name: 'first.txt', content: 'The first pier has a lamp.' });
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    context.on('request', (request) => {
      if (request.url().endsWith('/documents/events')) streams.push(request.url());
    });
    page = await context.newPage();
    address = new URL(`/d/${datasetId}/documents`, service.process.url).href;
    await page.goto(address);
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('row', { name: 'first.txt' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const choose = async (name: string): Promise<void> => {
    await writeFile(join(folder, name), `${name} tells of a pier with a lamp.`);
    await page.locator('input[type=file]').first().setInputFiles(join(folder, name));
  };

  it('show what others upload and delete, in two tabs by one stream', async () => {
    await expect.poll(() => streams.length).toBe(1);
    const other = await context.newPage();
    await other.goto(address);
    await other.getByRole('row', { name: 'first.txt' }).waitFor();
    const { id } = await service.admin.upload(datasetId, { name: 'second.txt', content: 'The second pier is dark.' });
    for (const tab of [page, other]) await tab.getByRole('row', { name: /second\.txt.*Searchable/ }).waitFor();
    await service.admin.delete(`/documents/${id}`);
    for (const tab of [page, other]) await tab.getByRole('row', { name: 'second.txt' }).waitFor({ state: 'hidden' });
    expect(streams).toHaveLength(1);
    await other.close();
  });

  it('are sent again when an upload was cut off, and while the service starts again', async () => {
    let attempts = 0;
    await page.route('**/documents/upload', async (route) => {
      attempts += 1;
      await (attempts === 1 ? route.abort('connectionreset') : route.continue());
    });
    await choose('cut.txt');
    await page.getByText('1 cut off').waitFor();
    await page.getByText('1 file uploaded').waitFor(LONG);
    expect(attempts).toBe(2);
    await service.process.stop();
    await choose('restarted.txt');
    await page.getByText('1 cut off').waitFor(LONG);
    await service.process.start();
    await page.getByText('2 files uploaded').waitFor(LONG);
    // The list is told of it by a stream that was opened again.
    await page.getByRole('row', { name: /restarted\.txt.*Searchable/ }).waitFor(LONG);
  });

  it('wait as long as the service says when there were too many requests', async () => {
    let refusals = 0;
    await page.unroute('**/documents/upload');
    await page.route('**/documents/upload', async (route) => {
      refusals += 1;
      if (refusals > 1) return route.continue();
      return route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, body: '{}' });
    });
    await choose('later.txt');
    await page.getByText(/limit of files in a minute/).waitFor();
    await page.getByText('3 files uploaded').waitFor(LONG);
    expect(refusals).toBe(2);
  });
});
