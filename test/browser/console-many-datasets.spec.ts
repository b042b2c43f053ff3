import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

/** More than a page of the interface has. */
const MANY = 103;
const nameOf = (number: number): string => `Shelf ${String(number).padStart(3, '0')}`;

describe('more datasets than a page of the interface has', () => {
  const service = useService();
  const complaints: string[] = [];
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    for (let number = 1; number <= MANY; number += 1) await service.admin.createDataset(nameOf(number));
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(new URL('/', service.process.url).href);
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });
  afterAll(() => browser?.close());

  const rail = () => page.getByRole('navigation').locator('.rail-list a');
  const places = () => page.getByRole('main').getByRole('heading', { level: 3 });

  it('are all in the menu and on the start page, and in the sum', async () => {
    await expect.poll(() => rail().count()).toBe(MANY);
    expect(await places().count()).toBe(MANY);
    await page.getByText('0 documents, 0 searchable', { exact: true }).waitFor();
  });

  it('are found by a part of their name, in both', async () => {
    for (const [place, list] of [
      [page.getByRole('navigation'), rail()],
      [page.getByRole('main'), places()],
    ] as const) {
      const field = place.getByRole('searchbox', { name: 'Find a dataset' });
      await field.fill('SHELF 10');
      await expect.poll(() => list.allInnerTexts()).toHaveLength(4);
      await field.fill('harbour');
      await place.getByText('No dataset is called so.').waitFor();
      await field.fill('');
      await expect.poll(() => list.count()).toBe(MANY);
    }
  });

  it('are said to be more where there are more than the pages hold', async () => {
    await page.route('**/api/v1/datasets/?*', async (route) => {
      const answer = await route.fetch();
      const list = (await answer.json()) as { readonly items: readonly object[] };
      await route.fulfill({ json: { ...list, total: 1_234 } });
    });
    await page.reload();
    await page
      .getByRole('main')
      .getByText(/^The first 103 of 1,234 datasets by name\.$/)
      .waitFor();
    await page.getByText('0 documents in these, 0 searchable').waitFor();
    expect(await page.getByText(/^The first 103 of/).count()).toBe(2);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('have broken no page', () => {
    expect(complaints).toEqual([]);
  });
});
