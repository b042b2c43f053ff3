import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { ingest } from '../support/fixtures.js';
import { buildGraph, type GraphPart } from '../support/knowledge-graphs.js';
import { useService } from '../support/service-process.js';

const EVIL = '</script><img src=x onerror=alert(1)>';
const FIRST = ['Maren', 'Quentin', 'Ottilie', 'Ruben', 'Sigrid', 'Tomas', 'Ursula', 'Viktor', 'Wanda', 'Xaver'];
const STARTS = ['Bran', 'Cald', 'Dors', 'Fen', 'Gar', 'Hol', 'Kest', 'Mort', 'Pell', 'Thorn'];
const ENDS = ['berg', 'croft', 'dale', 'field', 'gate', 'ham', 'man', 'sen', 'worth'];
const LAST = STARTS.flatMap((start) => ENDS.map((end) => `${start}${end}`));
const FILES = 15;

/** Documents that tell of some two thousand people and organisations. */
function* files(): Generator<{ name: string; content: string }> {
  for (let file = 0; file < FILES; file += 1) {
    const lines = LAST.flatMap((last, n) => {
      if (n % FILES !== file) return [];
      return FIRST.map(
        (first, m) =>
          `${first} ${last} founded ${last} ${FIRST[(m + 1) % FIRST.length]} Ltd with ${FIRST[(m + 3) % FIRST.length]} ${last}.`,
      );
    });
    yield { name: `register-${file}.txt`, content: `${lines.join(' ')}\n` };
  }
}

/** A reader of a page with a large graph, by keyboard and by mouse. */
describe('the page of a knowledge graph', () => {
  const service = useService();
  let browser: Browser;
  let page: Page;
  let folder: string;
  let address: string;
  let drawn: number;
  let asked: string[] = [];
  let refused: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-graph-'));
    const { admin } = service;
    const dataset = await admin.createDataset(`Registers ${EVIL}`);
    for (const file of files()) await ingest(admin, dataset, file);
    await ingest(admin, dataset, {
      name: `${EVIL.replaceAll('/', '')}.txt`,
      content: `${EVIL} Harbour Works Ltd was founded by Zacharias Oxley.`,
    });
    await buildGraph(admin, dataset);
    address = `${service.process.url}/kg/${dataset}/view?limit=2000`;
    drawn = (await admin.get<GraphPart>(`/kg/${dataset}/graph?limit=2000`)).nodes.length;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    [asked, refused] = [[], []];
    const context = await browser.newContext({
      viewport: { width: 1500, height: 1000 },
      extraHTTPHeaders: { Authorization: service.admin.headers['Authorization']! },
    });
    page = await context.newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(error.message));
    return () => context.close();
  });

  const shown = () => page.locator('#shown').textContent();
  const heading = () => page.locator('#name').textContent();
  const open = async (at = address): Promise<void> => {
    await page.goto(at);
    await page.locator('#drawing canvas').first().waitFor();
  };
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const picture = async (name: string): Promise<void> => {
    const pictures = process.env['TEST_SCREENSHOTS'];
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
  };

  it('draws some two thousand entities and asks no one for anything', async () => {
    await open();
    expect(drawn).toBeGreaterThan(1_500);
    expect(await shown()).toBe(`${drawn} of ${drawn} entities`);
    expect(await page.title()).toBe(`Knowledge graph: Registers ${EVIL}`);
    expect(await page.locator('#list button').count()).toBe(drawn);
    await picture('graph-1-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture('graph-2-dark');
    expect(await page.locator('img').count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([address]);
    expect(refused).toEqual([]);
  });

  it('is used by keyboard: search, choose, go on to a neighbour and to the passage', async () => {
    await open();
    await press('Tab');
    await page.keyboard.type('zacharias');
    await expect.poll(shown).toBe(`1 of ${drawn} entities`);
    await press('ArrowDown', 'Enter');
    expect(await heading()).toBe('Zacharias Oxley');
    expect(await page.locator('#detail blockquote').first().textContent()).toContain(EVIL);
    expect(await page.locator('#list [aria-current=true]').textContent()).toContain('Zacharias Oxley');
    await picture('graph-3-chosen');
    await press('Tab', 'Tab', 'Enter');
    expect(await heading()).toBe('Harbour Works Ltd');
    await page.locator('#detail a').first().focus();
    await press('Enter');
    await page.waitForURL(/\/documents\/[0-9a-f-]+\/text\?start=\d+&end=\d+$/);
    expect(await page.locator('body').textContent()).toContain('Harbour Works Ltd was founded by Zacharias Oxley.');
    expect(refused).toEqual([]);
  });

  it('goes up and down the list by arrow keys, and leaves out the types that are switched off', async () => {
    await open();
    await page.locator('#list button[tabindex="0"]').focus();
    await press('ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter');
    const second = await page.locator('#list button').nth(1).locator('bdi').textContent();
    expect(await heading()).toBe(second);
    await press('End', 'Enter');
    expect(await heading()).toBe(await page.locator('#list button').last().locator('bdi').textContent());
    const boxes = page.locator('#types input');
    for (const box of await boxes.all()) {
      await box.focus();
      await press('Space');
    }
    await expect.poll(shown).toBe(`0 of ${drawn} entities`);
    await boxes.first().focus();
    await press('Space');
    expect(await shown()).not.toBe(`0 of ${drawn} entities`);
    expect(refused).toEqual([]);
  });

  it('tells of an entity that is chosen in the drawing', async () => {
    await open();
    await page.locator('#search').fill('zacharias');
    await expect.poll(shown).toBe(`1 of ${drawn} entities`);
    await page.locator('#whole').click();
    const { x, y, width, height } = (await page.locator('#drawing').boundingBox())!;
    await expect
      .poll(async () => {
        await page.mouse.click(x + width / 2, y + height / 2);
        return heading();
      })
      .toBe('Zacharias Oxley');
    expect(refused).toEqual([]);
  });

  it('opens from disk as well, and tells where the passages are', async () => {
    const file = join(folder, 'graph.html');
    const answer = await service.admin.send<string>('GET', address.slice(service.process.url.length));
    await writeFile(file, answer.body);
    await open(`file://${file}`);
    await page.locator('#list button').first().click();
    expect(await page.locator('#detail .address').first().textContent()).toMatch(
      /^GET \/api\/v1\/documents\/[0-9a-f-]+\/text\?start=/,
    );
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`file://${file}`]);
    expect(refused).toEqual([]);
  });
});
