import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { launchChromium } from '../support/chromium.js';
import { ingest } from '../support/fixtures.js';
import { buildGraph } from '../support/knowledge-graphs.js';
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
  const heading = (tag: string): Locator => page.locator(`#operations-tag-${tag}`);
  const openTag = async (tag: string): Promise<void> => {
    if ((await heading(tag).getAttribute('data-is-open')) !== 'true') await heading(tag).click();
  };
  const open = async (tag: string, id: string): Promise<Locator> => {
    const block = operation(tag, id);
    await openTag(tag);
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

  const shownOperations = (): Promise<string[]> => page.locator('.opblock-summary-path').allInnerTexts();
  const authorize = async (): Promise<Locator> => {
    await page.locator('.btn.authorize').first().click();
    await page.locator('.auth-container').last().waitFor();
    return page.locator('.auth-container', { has: page.locator('#oauth_username') });
  };
  const logIn = async (): Promise<void> => {
    const login = await authorize();
    await login.locator('#oauth_username').fill(service.process.admin.email);
    await login.locator('#oauth_password').fill(service.process.admin.password);
    await picture('1-authorize');
    await login.locator('button.authorize').click();
    await page.locator('.auth-container button', { hasText: 'Logout' }).waitFor();
    await page.locator('.btn-done').first().click();
  };

  it('begins with its tags closed, each of which opens to all of its operations', async () => {
    const answer = await fetch(`${site()}/api/v1/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { tags: string[] }>> };
    const tags = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.tags[0]!));
    expect(tags.length).toBeGreaterThan(100);
    await page.goto(`${site()}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(0);
    for (const tag of new Set(tags)) {
      const name = tag.replaceAll(' ', '_');
      await openTag(name);
      const inside = page.locator('.opblock-tag-section.is-open .opblock');
      expect(await inside.count(), tag).toBe(tags.filter((other) => other === tag).length);
      await heading(name).click();
    }
  });

  it('finds operations by words of their path, summary and tag, in whatever case', async () => {
    const field = page.locator('.operation-filter-input');
    await field.fill('documents/upload');
    await expect.poll(shownOperations).toEqual(['/api/v1/documents/upload']);
    await field.fill('CREATE dataset');
    await expect.poll(shownOperations).toContain('/api/v1/datasets/');
    await field.fill('get read delivery');
    await expect.poll(shownOperations).toEqual(['/api/v1/webhooks/{id}/deliveries/{delivery_id}']);
    await field.fill('nothing has these words');
    await page.getByText('No operation has all of these words.').waitFor();
    await field.fill('');
    await heading('Chat').waitFor();
    expect(await shownOperations()).toEqual([]);
  });

  it('opens at the operation that a link names', async () => {
    await page.goto(`${site()}/docs/?x#/Datasets/createDataset`);
    await operation('Datasets', 'createDataset').locator('button.execute').waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(1);
  });

  it.each([
    ['on a desk', { width: 1400, height: 900 }],
    ['on a phone', { width: 360, height: 640 }],
  ])('asks for the e-mail address first, %s', async (where, viewport) => {
    const context = await browser.newContext({ viewport, isMobile: viewport.width < 500 });
    const before = page;
    page = await context.newPage();
    try {
      await page.goto(`${site()}/docs`);
      await page.locator('.opblock-tag').first().waitFor();
      await (await open('Documents', 'uploadDocument')).locator('.responses-wrapper').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await authorize();
      expect(await page.evaluate('document.activeElement.id')).toBe('oauth_username');
      expect(await page.evaluate('document.querySelector(".modal-ux-content").scrollTop')).toBe(0);
      const button = page.locator('.auth-container button.authorize').first();
      const { y, height } = (await button.boundingBox())!;
      expect(y + height).toBeLessThan(viewport.height);
      await picture(`0-authorize ${where}`);
    } finally {
      page = before;
      await context.close();
    }
  });

  it('leads from a login to a cited answer with untouched forms and two copied ids', async () => {
    await page.goto(`${site()}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    await logIn();

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

    const tools = await execute(await open('Integrations', 'handleMcpMessage'));
    expect(tools).toMatchObject({ status: '200', body: { result: {} } });
    expect(refused).toEqual([]);
  });

  it('has a page that is an answer as a link that saves it, and not as its source', async () => {
    const dataset = await service.admin.createDataset('Founders');
    await ingest(service.admin, dataset, { name: 'a.txt', content: 'Maren Branberg founded Harbour Works Ltd.\n' });
    await buildGraph(service.admin, dataset);
    const view = await open('Knowledge_graph', 'viewKnowledgeGraph');
    await view.locator('tr[data-param-name="id"] input').fill(dataset);
    await view.locator('button.execute').click();
    const link = view.locator('.live-responses-table a[download]');
    await link.waitFor();
    await picture('7-page');
    expect(await view.locator('.live-responses-table').innerText()).not.toContain('<html');
    const saving = page.waitForEvent('download');
    await link.click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('graph.html');
    expect(await readFile(await saved.path(), 'utf8')).toMatch(/^<!doctype html>[^]*Harbour Works/);
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
