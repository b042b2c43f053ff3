import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

const TEXT = 'The notice period is three months for either party. It has to be given in writing.\n';
const PLACEHOLDER = '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10';

interface Shown {
  readonly status: string;
  readonly body: Record<string, unknown>;
}

/** A reader at Swagger UI, who leaves every form as it is but for the ids that cannot be known in advance. */
describe('Swagger UI', () => {
  const service = useService();
  let browser: Browser;
  let page: Page;
  let folder: string;
  const refused: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-browser-'));
    await writeFile(join(folder, 'contract.txt'), TEXT);
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const site = (): string => service.process.url.replace(/\/api\/v1$/, '');
  const operation = (tag: string, id: string): Locator => page.locator(`#operations-${tag}-${id}`);
  const open = async (tag: string, id: string): Promise<Locator> => {
    const block = operation(tag, id);
    await block.locator('.opblock-summary-control').click();
    await block.locator('button.execute').waitFor();
    return block;
  };
  const execute = async (block: Locator): Promise<Shown> => {
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/api/v1/'));
    await block.locator('button.execute').click();
    const response = await answered;
    await block.locator('.live-responses-table .response-col_status').first().waitFor();
    const text = await response.text();
    return { status: String(response.status()), body: JSON.parse(text) as Record<string, unknown> };
  };
  const picture = async (name: string): Promise<void> => {
    const folderOfPictures = process.env['TEST_SCREENSHOTS'];
    if (folderOfPictures !== undefined) {
      await page.screenshot({ path: join(folderOfPictures, `${name}.png`), fullPage: false });
    }
  };
  const replacePlaceholder = async (block: Locator, id: string): Promise<void> => {
    const body = block.locator('textarea.body-param__text');
    const shown = await body.inputValue();
    expect(shown).toContain(PLACEHOLDER);
    await body.fill(shown.replaceAll(PLACEHOLDER, id));
  };

  it('holds every operation, also those far below the window', async () => {
    const answer = await fetch(`${site()}/api/v1/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, object> };
    const operations = Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
    expect(operations).toBeGreaterThan(100);
    await page.goto(`${site()}/docs`);
    await page
      .locator('.opblock')
      .nth(operations - 1)
      .waitFor();
    expect(await page.locator('.opblock').count()).toBe(operations);
  });

  it('leads from a login to a cited answer with untouched forms and two copied ids', async () => {
    await page.goto(`${site()}/`);
    expect(page.url()).toBe(`${site()}/docs`);
    await page.locator('.opblock').first().waitFor();

    await page.locator('.btn.authorize').first().click();
    const login = page.locator('.auth-container', { has: page.locator('#oauth_username') });
    await login.locator('#oauth_username').fill(service.process.admin.email);
    await login.locator('#oauth_password').fill(service.process.admin.password);
    await picture('1-authorize');
    await login.locator('button.authorize').click();
    await page.locator('.auth-container button', { hasText: 'Logout' }).waitFor();
    await page.locator('.btn-done').first().click();

    const creation = await open('Datasets', 'createDataset');
    const dataset = await execute(creation);
    expect(dataset.status).toBe('201');
    await picture('2-dataset');

    const upload = await open('Documents', 'uploadDocument');
    await upload.locator('[data-property-name="dataset_id"] input').fill(String(dataset.body['id']));
    await upload.locator('input[type="file"]').setInputFiles(join(folder, 'contract.txt'));
    await picture('3-upload-form');
    const document = await execute(upload);
    await picture('4-upload');
    expect(document).toMatchObject({ status: '201', body: { tags: [], name: 'contract.txt' } });
    expect(document.body['metadata']).toEqual({});

    const status = await open('Documents', 'getDocumentStatus');
    await status.locator('tr[data-param-name="document_id"] input').fill(String(document.body['id']));
    await expect.poll(async () => (await execute(status)).body['status'], { timeout: 60_000 }).toBe('completed');

    const search = await open('Retrieval', 'search');
    await replacePlaceholder(search, String(dataset.body['id']));
    const found = await execute(search);
    expect(found).toMatchObject({ status: '200', body: { results: [{ document_id: document.body['id'] }] } });
    await picture('5-search');

    const chat = await open('Chat', 'createChatCompletion');
    await replacePlaceholder(chat, String(dataset.body['id']));
    const answer = await execute(chat);
    expect(answer).toMatchObject({ status: '200', body: { citations: [{ verified: true }] } });
    await picture('6-chat');
    expect(refused).toEqual([]);
  });

  it('and every answer carry security headers', async () => {
    const anyone = new ApiClient(site());
    for (const [method, path] of [
      ['GET', '/docs'],
      ['GET', '/api/v1/health'],
      ['GET', '/api/v1/datasets/'],
      ['GET', '/nowhere'],
    ] as const) {
      const { headers } = await anyone.send(method, path);
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    }
  });
});
