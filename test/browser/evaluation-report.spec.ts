import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { launchChromium } from '../support/chromium.js';
import { ingest } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const EVIL = `</style></table><script>document.title='run'</script><img src="http://127.0.0.1:9/a" onerror=alert(1)> javascript:alert(2)`;
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);
const MACHINES = ['pump', 'valve', 'lamp', 'mirror', 'gear', 'fan', 'sensor', 'cable', 'filter', 'motor'];
const CASES = [
  ...MACHINES.flatMap((machine, n) => [
    {
      query: `How often is the ${machine} serviced?`,
      relevant: [{ text: `The ${machine} is serviced every ${n + 3}00 hours` }],
      expected_answer: `every ${n + 3}00 hours`,
      tags: ['service', EVIL.slice(0, 60)],
    },
    {
      query: `Who paints the ${machine} with ${LONG}?`,
      relevant: [{ text: `painted by ${machine}` }],
      tags: [LONG.slice(0, 64)],
    },
  ]),
  { query: `${EVIL} what is it?`, relevant: [{ text: 'no such words' }], tags: ['evil'] },
  { query: 'متى تتم صيانة المضخة؟', relevant: [{ text: 'كل أسبوع' }], tags: ['عربي'] },
  { query: 'Which river flows through Vienna?', answerable: false, tags: ['without an answer'] },
];

/** What the page answers: texts whose contrast with what is behind them is below 4.5 : 1. */
const WEAK_CONTRASTS = `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if ((channels(backgroundColor)[3] ?? 1) > 0) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const weak = [];
  for (const element of document.querySelectorAll('body *')) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!isText || element.tagName === 'title') continue;
    const style = getComputedStyle(element);
    const [one, two] = [light(element.closest('svg') === null ? style.color : style.fill), light(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (!(ratio >= 4.5)) weak.push(element.tagName + ' ' + element.textContent.slice(0, 40) + ': ' + ratio.toFixed(2));
  }
  return weak;
})()`;
/** What the page answers: what reaches beyond its right border, and would be cut off on paper. */
const CUT_OFF = `[...document.querySelectorAll('table, svg, pre, p, dl')]
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => one.textContent.slice(0, 80))`;

/** A reader of a report on a screen and on paper. */
describe('the report of an evaluation in a browser', () => {
  const service = useService();
  let browser: Browser;
  let folder: string;
  let path: string;
  let file: string;
  let asked: string[] = [];
  let refused: string[] = [];
  const pages: Page[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-report-'));
    const { admin } = service;
    const dataset = await admin.createDataset('Machines');
    for (const [n, machine] of MACHINES.entries())
      await ingest(admin, dataset, {
        name: `${machine}.txt`,
        content: `${EVIL} The ${machine} is serviced every ${n + 3}00 hours.`,
      });
    const { id } = await admin.post<{ id: string }>('/evaluations/jobs', {
      name: `Machines ${EVIL}`,
      dataset_ids: [dataset],
      cases: CASES,
      variants: [
        { name: 'hybrid', retrieval: { search_method: 'hybrid' }, chat: {} },
        { name: EVIL.slice(0, 60), retrieval: { search_method: 'keyword', top_k: 1 } },
        { name: LONG.slice(0, 60), retrieval: { search_method: 'vector', score_threshold: 0.9 } },
      ],
      gates: [
        { metric: 'hit_rate', min: 0.99 },
        { metric: 'ndcg', max_regression: 0.01 },
        { metric: 'refusal_accuracy', min: 0.1 },
      ],
    });
    const isCompleted = async (): Promise<boolean> =>
      (await admin.get<{ status: string }>(`/evaluations/jobs/${id}`)).status === 'completed';
    await until(isCompleted, { what: 'the end of the evaluation', withinMs: 60_000, everyMs: 100 });
    path = `/evaluations/jobs/${id}/report`;
    file = join(folder, 'report.html');
    await writeFile(file, (await admin.send<string>('GET', path)).body);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
    [asked, refused] = [[], []];
  });

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    pages.push(page);
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(error.message));
    page.on('dialog', (dialog) => refused.push(dialog.message()));
    await page.goto(address);
    return page;
  }
  const picture = async (page: Page, name: string): Promise<void> => {
    const pictures = process.env['TEST_SCREENSHOTS'];
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  };

  it('is served as it opens from disk, asks no one for anything and has nothing to complain about', async () => {
    const address = `${service.process.url}${path}`;
    await open(address, { extraHTTPHeaders: { Authorization: service.admin.headers['Authorization']! } });
    await open(`file://${file}`);
    expect(asked).toEqual([address, `file://${file}`]);
    expect(refused).toEqual([]);
  });

  it('shows texts of documents and questions as texts', async () => {
    const page = await open(`file://${file}`);
    expect(await page.title()).toBe(`Machines ${EVIL} – evaluation`);
    expect(await page.locator('h1').textContent()).toBe(`Machines ${EVIL}`);
    expect(await page.locator('script, img, iframe, form, [onerror], a:not([href^="#"])').count()).toBe(0);
    expect(await page.getByText('javascript:alert(2)').count()).toBeGreaterThan(3);
  });

  it.each([
    ['light', 'wide', 1400],
    ['dark', 'wide', 1400],
    ['light', 'phone', 360],
    ['dark', 'phone', 360],
  ] as const)('can be read in %s on a %s screen', async (colorScheme, width, pixels) => {
    const page = await open(`file://${file}`, { colorScheme, viewport: { width: pixels, height: 900 } });
    await picture(page, `report-${colorScheme}-${width}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(pixels);
    expect(await page.evaluate(WEAK_CONTRASTS)).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('is whole when it is printed, in the colours of paper', async () => {
    const page = await open(`file://${file}`, { colorScheme: 'dark', viewport: { width: 700, height: 1000 } });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate(WEAK_CONTRASTS)).toEqual([]);
    expect(await page.evaluate(CUT_OFF)).toEqual([]);
    const pictures = process.env['TEST_SCREENSHOTS'];
    const pdf = await page.pdf({
      format: 'A4',
      margin: { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' },
      ...(pictures !== undefined && { path: join(pictures, 'report.pdf') }),
    });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });
});
