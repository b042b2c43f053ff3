import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../libs/parsing/src/testing/make-pdf.js';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

const LINES = ['The lamp is lit at dusk.', 'The key hangs by the door.', 'The lamp is lit at dusk.'];

/** One document at its cited place. */
describe('the document screen', () => {
  const service = useService();
  let browser: Browser;
  let page: Page;
  let datasetId: string;

  beforeAll(async () => {
    datasetId = await service.admin.createDataset('Lighthouse');
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    await page.goto(new URL('/', service.process.url).href);
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });
  afterAll(() => browser?.close());

  it('marks the cited place in the page of a PDF, of two that say the same the right one', async () => {
    const content = makePdf([{ lines: ['Nothing here.'] }, { lines: LINES }]);
    const { id } = await service.admin.upload(datasetId, { name: 'lamps.pdf', content });
    await service.admin.pollUntilTerminal(id);
    const answer = await fetch(`${service.process.url}/documents/${id}/text`, { headers: service.admin.headers });
    const from = (await answer.text()).lastIndexOf('The lamp is lit');
    const address = `/d/${datasetId}/documents/${id}?page=2&from=${from}&to=${from + 15}`;
    await page.goto(new URL(address, service.process.url).href);
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

  it('shows one side at a time on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('canvas').waitFor();
    const sides = page.getByRole('region', { name: 'Original or text' });
    await sides.getByRole('button', { name: 'Text' }).click();
    await page.locator('canvas').waitFor({ state: 'hidden' });
    await page.locator('mark').first().waitFor();
    expect(page.url()).toContain('view=text');
    await sides.getByRole('button', { name: 'Original' }).click();
    await page.locator('canvas').waitFor();
  });
});
