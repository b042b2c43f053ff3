/**
 * The console in Chromium, as someone sees it:
 *
 *   npm run bench:console -- [--tiny] [--rounds 15] [--only pages,citations] [--json FILE]
 *
 * Starts the built service with 1,000 small documents and a PDF of 40 pages, and measures at the median of the rounds: the time until a page can be used that
 * is opened by its address (the sign-in page without anything in the cache, and with it; the list of 1,000 documents: its first row; a document
 * at a cited place: the mark in its text), and the time from a click on a citation in *Ask* and on a result in *Search* until the highlighted place
 * is in the drawn page of the PDF. Clicks come as soon as the link is there, at once with the pointer: anyone who points first and presses
 * then is faster. "first" is in a page that was just opened and has shown no document yet, "again" is the same link after *Back*. Client, browser,
 * service and database share the machine. The exit code is 1 when a citation takes longer than its target. `--tiny` takes 20 documents, a PDF of
 * 3 pages and one round: only whether it runs. TEST_CHROMIUM is another browser than /usr/bin/chromium.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { makePdf } from '../libs/parsing/src/testing/make-pdf.ts';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { inParallel } from './lib/in-parallel.mjs';
import { medianOf } from './lib/paired-ratios.ts';

/** From the click on a citation to the highlighted place. */
const TARGET_MS = 500;
const PATIENCE_MS = 60_000;
const VIEWPORT = { width: 1440, height: 900 };
const QUESTION = 'How long is the warranty of the Baltic Rotor gearbox?';
const SENTENCE = 'The warranty of the Baltic Rotor gearbox is thirty months.';
const FILLING = 'Each pump of the hall is serviced by its technician after some hundred hours, and the';

const { values: options } = parseArgs({
  options: {
    tiny: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string', default: 'pages,citations' },
    json: { type: 'string' },
  },
});
const rounds = Number(options.rounds ?? (options.tiny ? 1 : 15));
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1.');
const { documents, pages } = options.tiny ? { documents: 20, pages: 3 } : { documents: 1000, pages: 40 };
const results = [];
const service = await ServiceProcess.start({ settings: { EMBEDDING_MODEL: 'hashing-v1', LOG_LEVEL: 'warn' } });
const browser = await launchChromium();
const addressOf = (path) => new URL(path, service.url).href;
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const { listId, pdfDatasetId, pdfId } = await fill(client);
  const phases = {
    pages: () => measurePages(listId, pdfDatasetId, pdfId),
    citations: () => measureCitations(pdfDatasetId),
  };
  for (const name of options.only.split(',')) {
    if (phases[name] === undefined) throw new Error(`--only takes ${Object.keys(phases).join(' and ')}, not ${name}.`);
    await phases[name]();
  }
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await browser.close();
  await service.dispose();
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
if (results.some(({ isMet }) => !isMet)) process.exitCode = 1;

/** A dataset of many small documents, and one with a PDF whose sentence is two thirds of its pages on. */
async function fill(client) {
  const listId = await client.createDataset('bench of lists');
  const files = Array.from({ length: documents }, (_, n) => ({
    name: `note-${n}.txt`,
    content: `Note ${n}: pump ${n}.`,
  }));
  const notes = await inParallel(files, 8, (file) => client.upload(listId, file));
  const pdfDatasetId = await client.createDataset('bench of citations');
  const cited = Math.ceil((pages * 2) / 3);
  const lines = (page) =>
    Array.from({ length: 24 }, (_, n) =>
      page === cited && n === 12 ? SENTENCE : `${page}.${n} ${FILLING}`.slice(0, 44),
    );
  const content = makePdf(Array.from({ length: pages }, (_, index) => ({ lines: lines(index + 1) })));
  const { id: pdfId } = await client.upload(pdfDatasetId, {
    name: 'gearbox.pdf',
    content,
    mediaType: 'application/pdf',
  });
  await inParallel([...notes.map(({ id }) => id), pdfId], 8, (id) =>
    client.pollUntilTerminal(id, { timeoutMs: 600_000 }),
  );
  return { listId, pdfDatasetId, pdfId };
}

async function signedIn() {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(addressOf('/'));
  await page.getByLabel('E-mail').fill(service.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(service.admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  return page;
}

/** Opens an address as if it had been typed; ends when what makes the page usable is seen. */
async function timeToOpen(page, path, usable) {
  await page.goto('about:blank');
  const began = performance.now();
  await page.goto(addressOf(path), { waitUntil: 'commit' });
  await page.locator(usable).first().waitFor();
  return performance.now() - began;
}

async function measurePages(listId, pdfDatasetId, pdfId) {
  const [cold, warm] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' });
    const page = await context.newPage();
    cold.push(await timeToOpen(page, '/', 'input[type=password]'));
    warm.push(await timeToOpen(page, '/', 'input[type=password]'));
    await context.close();
  }
  report('sign-in page, nothing cached', cold);
  report('sign-in page', warm);
  const page = await signedIn();
  const opened = async (name, path, usable) => {
    const times = [];
    // The first one fetches the code of the page.
    await timeToOpen(page, path, usable);
    for (let round = 0; round < rounds; round += 1) times.push(await timeToOpen(page, path, usable));
    report(name, times);
  };
  await opened(`list of ${documents} documents`, `/d/${listId}/documents`, '[role=rowgroup] [role=gridcell]');
  await opened(
    'document at a place of its text',
    `/d/${pdfDatasetId}/documents/${pdfId}?from=0&to=20&page=1`,
    'main mark',
  );
  await page.context().close();
}

async function measureCitations(pdfDatasetId) {
  const page = await signedIn();
  const ways = [
    ['citation in Ask', `/d/${pdfDatasetId}/ask?q=${encodeURIComponent(QUESTION)}`, 'main a.cite[href*="page="]'],
    [
      'result in Search',
      `/d/${pdfDatasetId}/search?q=${encodeURIComponent(SENTENCE)}`,
      'main li[data-chunk] a[href*="page="]',
    ],
  ];
  for (const [name, path, link] of ways) {
    const [first, again] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      await page.goto('about:blank');
      await page.goto(addressOf(path));
      first.push(await timeToPlace(page, link));
      await page.goBack();
      again.push(await timeToPlace(page, link));
    }
    report(`${name}, first`, first, TARGET_MS);
    report(`${name}, again`, again, TARGET_MS);
  }
  await page.context().close();
}

/** From the click on a link to the marked place in the page of the PDF, drawn and in sight. */
async function timeToPlace(page, link) {
  const shown = page.locator(link).first();
  await shown.waitFor();
  const began = performance.now();
  await shown.click();
  await page.locator('[data-cited]').first().waitFor();
  const took = performance.now() - began;
  const box = await page.locator('[data-cited]').first().boundingBox();
  if (box === null || box.y < 0 || box.y > VIEWPORT.height) throw new Error('The cited place is not in sight.');
  return took;
}

function report(name, times, targetMs) {
  const sorted = times.toSorted((one, other) => one - other);
  const medianMs = Math.round(medianOf(sorted));
  const isMet = targetMs === undefined || options.tiny || medianMs <= targetMs;
  results.push({
    name,
    medianMs,
    minMs: Math.round(sorted[0]),
    maxMs: Math.round(sorted.at(-1)),
    rounds,
    targetMs,
    isMet,
  });
  const target = targetMs === undefined ? '' : `  target ${targetMs} ms ${isMet ? 'met' : 'MISSED'}`;
  console.log(
    `${name.padEnd(36)} ${String(medianMs).padStart(6)} ms  (${Math.round(sorted[0])} to ${Math.round(sorted.at(-1))}, ${rounds} rounds)${target}`,
  );
}
