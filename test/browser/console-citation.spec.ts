import { randomBytes } from 'node:crypto';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../libs/parsing/src/testing/make-pdf.js';
import { launchChromium } from '../support/chromium.js';
import { ingest } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const SENTENCE = 'The warranty of the Baltic Rotor gearbox is thirty months.';
const QUESTION = 'How long is the warranty of the Baltic Rotor gearbox?';
const NOISE = { width: 1100, height: 1500 };
/** What is fetched of a file at first, as in console/src/screens/document-bytes.ts. */
const HEAD_BYTES = 1 << 20;

/** From an answer to the place in the original that it rests on. */
describe('a citation in the console', () => {
  const service = useService();
  const faults: string[] = [];
  let browser: Browser;
  let page: Page;
  let datasetId: string;

  beforeAll(async () => {
    const { admin } = service;
    datasetId = await admin.createDataset('Gearboxes');
    await ingest(admin, datasetId, {
      name: 'gearbox.pdf',
      content: makePdf([{ lines: ['Nothing here.'] }, { lines: [SENTENCE] }]),
    });
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(site('/'));
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });
  afterAll(() => browser?.close());

  const site = (path: string): string => new URL(path, service.process.url).href;
  const ask = async (): Promise<void> => {
    await page.goto(site(`/d/${datasetId}/ask?q=${encodeURIComponent(QUESTION)}`));
    await page.getByRole('button', { name: 'Ask again' }).waitFor({ timeout: 60_000 });
  };
  const addNoisy = async (): Promise<string> => {
    const picture = { ...NOISE, pixels: randomBytes(NOISE.width * NOISE.height) };
    const content = makePdf([{ picture }, { picture }, { lines: [SENTENCE] }]);
    return (await ingest(service.admin, datasetId, { name: 'album.pdf', content })).id;
  };
  /** The document is opened at its sentence; resolves to what was fetched of its file. */
  const openNoisy = async (id: string): Promise<readonly Response[]> => {
    const parts: Response[] = [];
    const hear = (response: Response): void => {
      if (response.url().endsWith(`/documents/${id}/content`)) parts.push(response);
    };
    page.on('response', hear);
    await page.goto(site(`/d/${datasetId}/documents/${id}?page=3&from=0&to=${SENTENCE.length}`));
    await page.locator('[data-cited], main .note').first().waitFor({ timeout: 60_000 });
    page.off('response', hear);
    return parts;
  };

  it('is prepared while its answer is read: code, worker and place; its file when it is pointed at', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await ask();
    const has = (what: RegExp) => (): boolean => asked.some((path) => what.test(path));
    for (const what of [/document-[^/]+\.js$/, /pdf-page-[^/]+\.js$/, /pdf\.worker/, /\/boxes$/])
      await expect.poll(has(what), { message: String(what) }).toBe(true);
    expect(has(/\/content$/)()).toBe(false);
    await page.getByRole('link', { name: 'Source 1: open at its place' }).first().hover();
    await expect.poll(has(/\/content$/)).toBe(true);
  });

  it('stands beside its answer with the page of its place, and of several answers with its question', async () => {
    const sources = page.getByRole('complementary', { name: 'Sources' });
    // The excerpt begins on the page before.
    await sources.getByText('p. 2', { exact: true }).waitFor();
    expect(await sources.getByText(QUESTION).count()).toBe(0);
    await page.getByPlaceholder('Ask a follow-up').fill('How long is it for the Baltic Rotor?');
    await page.keyboard.press('Enter');
    await sources.getByText('How long is it for the Baltic Rotor?').waitFor();
    await page.getByRole('button', { name: 'Ask again' }).nth(1).waitFor({ timeout: 60_000 });
    // The pointer is on it still.
    await page.mouse.move(0, 0);
    await page.getByRole('link', { name: 'Source 1: open at its place' }).first().hover();
    await sources.getByText(QUESTION).waitFor();
  });

  it('is followed at once where all of that is there: no empty page is between answer and document', async () => {
    await page.waitForLoadState('networkidle');
    const heading = await page.evaluate<string>(`new Promise((resolve) => {
      document.querySelector('main a.cite').click();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.querySelector('h1')?.textContent)));
    })`);
    expect(heading).toBe('gearbox.pdf');
    await page.locator('[data-cited]').first().waitFor();
  });

  it('asks of a large file for those parts that its page needs', async () => {
    const id = await addNoisy();
    const { size_bytes: size } = await service.admin.get<{ size_bytes: number }>(`/documents/${id}`);
    const parts = await openNoisy(id);
    expect(await page.locator('[data-cited]').count()).toBe(1);
    expect(parts.map((part) => part.status())).toEqual(parts.map(() => 206));
    expect(parts.length).toBeGreaterThan(1);
    const bytes = parts.reduce((sum, part) => sum + Number(part.headers()['content-length']), 0);
    expect(size).toBeGreaterThan(3 * HEAD_BYTES);
    expect(bytes).toBeLessThan(size / 2);
  });

  it('says why a part of a large file could not be fetched', async () => {
    const id = await addNoisy();
    await page.route(`**/documents/${id}/content`, (route) =>
      route.request().headers()['range']?.startsWith('bytes=0-') === true
        ? route.continue()
        : route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            body: JSON.stringify({ status: 403, code: 'documents.content_guarded', detail: 'It is withheld now.' }),
          }),
    );
    await openNoisy(id);
    await page.getByText('It is withheld now.').waitFor();
    expect(await page.locator('[data-cited]').count()).toBe(0);
    await page.unroute(`**/documents/${id}/content`);
  });

  it('is below its answer on a phone, with the passage that it cites', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await ask();
    const sources = page.getByRole('article').getByRole('group').filter({ hasText: 'Sources' });
    await sources.getByText('gearbox.pdf').first().click();
    await sources.getByText(SENTENCE).first().waitFor();
    await sources.getByRole('link', { name: 'Open at this place' }).first().click();
    await page.locator('[data-cited]').first().waitFor({ timeout: 30_000 });
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  });

  it('has had no fault', () => {
    expect(faults).toEqual([]);
  });
});
