import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

interface Facets {
  readonly total: number;
  readonly error_code: readonly { readonly value: string; readonly count: number }[];
  readonly warning_code: readonly { readonly value: string; readonly count: number }[];
}

/** What is not as it should be, and what is done about it. */
describe('the quality of a dataset in the console', () => {
  const service = useService();
  const complaints: string[] = [];
  let browser: Browser;
  let page: Page;
  let dataset: string;

  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Manuals', { acl: 'all_team_members' });
    const files = [
      { name: 'pump.md', content: '# Pump\n\nThe pump is oiled twice a year.\n' },
      { name: 'valve.md', content: '# Valve\n\nThe valve is closed by hand.\n' },
      { name: 'empty.md', content: '' },
      { name: 'blank.txt', content: ' \n \n' },
      { name: 'broken.pdf', content: '%PDF-1.7 broken', mediaType: 'application/pdf' },
    ];
    for (const file of files) await admin.pollUntilTerminal((await admin.upload(dataset, file)).id);
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(site('/'));
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const site = (path: string): string => new URL(path, service.process.url).href;
  const open = (): Promise<unknown> => page.goto(site(`/d/${dataset}/quality`));
  const facets = (): Promise<Facets> => service.admin.get<Facets>(`/documents/facets?dataset_id=${dataset}`);

  it('counts what was read and has no text apart from what can be found, everywhere alike', async () => {
    const counts = '2 of 5 searchable, 2 failed, 1 without text';
    await page.goto(site('/'));
    await page.getByText('5 documents, 2 searchable').waitFor();
    await page.getByText(counts).waitFor();
    await page.goto(site(`/d/${dataset}/why?q=pump`));
    await page.getByText(counts).waitFor();
    await expect
      .poll(() => page.locator('[data-stage=documents]').innerText())
      .toMatch(/^Searchable documents\s+2\s+of 5 documents · 2 failed · 1 without text$/);
    await page.locator('[data-stage=documents]').getByRole('link', { name: '1 without text' }).click();
    const chip = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
    await page.locator('[role=grid][aria-rowcount="2"]').getByText('blank.txt').waitFor();
    expect(await chip('Without text 1').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('link', { name: '2 of 5 searchable' }).click();
    await page.locator('[role=grid][aria-rowcount="3"]').waitFor();
    await page.getByRole('link', { name: '1 without text' }).click();
    await page.locator('[role=grid][aria-rowcount="2"]').waitFor();
    await chip('Without text 1').click();
    await page.locator('[role=grid][aria-rowcount="6"]').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('has numbers that lead to just these documents', async () => {
    await open();
    await page.getByRole('heading', { name: 'There are problems' }).waitFor();
    const { error_code: errors, warning_code: remarks } = await facets();
    expect(errors.length).toBeGreaterThan(1);
    expect(remarks.length).toBeGreaterThan(0);
    const numbers = await page
      .locator('section li a:has(b)')
      .evaluateAll((links) =>
        links.map((link) => [link.getAttribute('href')!, Number(link.querySelector('b')!.textContent)] as const),
      );
    expect(numbers.length).toBeGreaterThanOrEqual(errors.length + remarks.length + 1);
    for (const [address, count] of numbers) {
      expect(count).toBeGreaterThan(0);
      await page.goto(site(address));
      // One row more is the head.
      await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
    }
  });

  it('offers no other attempt at files that are damaged, but shows them', async () => {
    await open();
    const advice = page.getByRole('region', { name: 'What helps' });
    await advice.getByText('The reasons lie in the files').waitFor();
    expect(await page.getByRole('button', { name: 'Retry all' }).count()).toBe(0);
    await advice.locator('li', { hasText: 'Documents failed' }).getByRole('link', { name: 'Show them' }).click();
    await page.locator('[role=grid][aria-rowcount="3"]').waitFor();
    await page.locator('[role=rowgroup] [role=row]').first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).waitFor();
    expect(await page.getByRole('toolbar').getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });

  it('carries out what is advised, after it has said what that does', async () => {
    // Reasons that may have gone.
    await page.route('**/documents/facets?*', async (route) => {
      const counted = (await (await route.fetch()).json()) as Facets;
      const counts = [{ value: 'PARSER_TIMEOUT', count: 2 }];
      await route.fulfill({ json: { ...counted, error_code: counts } });
    });
    await open();
    const advice = page.getByRole('region', { name: 'What helps' });
    await advice.getByRole('button', { name: 'Retry all' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/All \d failed documents begin another attempt/).waitFor();
    await dialog.getByRole('button', { name: 'Retry all' }).click();
    await dialog.getByText('2 documents have begun').waitFor();
    const { items } = await service.admin.get<{ items: readonly { attempt: number; name: string }[] }>(
      `/documents/?dataset_id=${dataset}&order_by=name`,
    );
    expect(items.filter(({ attempt }) => attempt === 2).map(({ name }) => name)).toEqual(['broken.pdf', 'empty.md']);
    await page.unrouteAll();
  });

  it('has stale documents read again', async () => {
    const { policy } = await service.admin.get<{ policy: Record<string, object> }>(
      `/datasets/${dataset}/ingestion-policy`,
    );
    const changed = { ...policy, chunking: { ...policy['chunking'], chunk_size: 128, chunk_overlap: 16 } };
    await service.admin.send('PUT', `/datasets/${dataset}/ingestion-policy`, changed);
    await open();
    const stale = page.getByRole('link', { name: /^By an earlier policy/ });
    const count = Number(await stale.locator('b').textContent());
    expect(count).toBeGreaterThan(1);
    await stale.click();
    await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
    await open();
    const row = page.getByRole('listitem').filter({ hasText: 'Documents read under an earlier policy' });
    await row.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Read again' }).click();
    await page.getByText(/documents have begun/).waitFor();
    await expect
      .poll(
        async () =>
          (await service.admin.get<{ stale?: { policy: number } }>(`/datasets/${dataset}/health`)).stale?.policy,
        { timeout: 30_000 },
      )
      .toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await row.waitFor({ state: 'hidden', timeout: 40_000 });
  });

  it('makes a case of a question that was refused, in one step', async () => {
    const question = 'Which orchestra plays in Reykjavik tonight?';
    await service.admin.chat(question, [dataset]);
    await page.goto(site(`/d/${dataset}/quality?outcome=refused`));
    const asked = page.getByRole('region', { name: 'Refused and badly rated questions' });
    await asked.getByText(question).waitFor();
    await asked.getByRole('button', { name: 'Keep as a test case' }).click();
    const dialog = page.getByRole('dialog');
    const keep = dialog.getByRole('button', { name: 'Keep as a test case' });
    expect(await keep.isDisabled()).toBe(true);
    await dialog.getByLabel('No document answers it').check();
    await keep.click();
    await dialog.getByText('Kept in').waitFor();
    const { items } = await service.admin.get<{ items: readonly { id: string }[] }>(
      `/evaluations/case-sets?dataset_id=${dataset}`,
    );
    const read = (): Promise<{ cases: readonly object[] }> =>
      service.admin.get(`/evaluations/case-sets/${items[0]!.id}`);
    expect((await read()).cases).toMatchObject([{ query: question, answerable: false, tags: ['refused'] }]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    // Once more, with an answer: no second case of the same question.
    await asked.getByRole('button', { name: 'Keep as a test case' }).click();
    await dialog.getByLabel('What should be answered?').fill('None that is known.');
    await keep.click();
    await dialog.getByText('1 case', { exact: true }).waitFor();
    expect((await read()).cases).toMatchObject([
      { query: question, answerable: true, expected_answer: 'None that is known.' },
    ]);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('shows the cases of a set with what should come of each, takes one out, and deletes the set', async () => {
    const cases = [
      { query: 'Who paints the pier?', expected_answer: 'The harbour office' },
      { query: 'Which planet is inhabited?', answerable: false },
    ];
    const body = { name: 'Of the pier', dataset_ids: [dataset], cases };
    const { id } = await service.admin.post<{ id: string }>('/evaluations/case-sets', body);
    await open();
    await page.getByRole('button', { name: 'Cases of Of the pier' }).click();
    const dialog = page.getByRole('dialog', { name: 'Of the pier' });
    await dialog.getByText('Expected: The harbour office').waitFor();
    await dialog.getByRole('button', { name: 'Take out “Who paints the pier?”' }).click();
    await dialog.getByText('Who paints the pier?').waitFor({ state: 'detached' });
    const kept = await service.admin.get<{ cases: readonly { query: string }[] }>(`/evaluations/case-sets/${id}`);
    expect(kept.cases.map(({ query }) => query)).toEqual(['Which planet is inhabited?']);
    // The last one goes with its set.
    await dialog.getByRole('button', { name: 'Take out “Which planet is inhabited?”' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete the set' }).click();
    await expect.poll(() => page.getByText('Of the pier').count()).toBe(0);
    expect((await service.admin.send('GET', `/evaluations/case-sets/${id}`)).status).toBe(404);
  });

  it('lists the test cases, has them asked in one step, and shows what came of each', async () => {
    await service.admin.post('/evaluations/case-sets', {
      name: 'Of the pumps',
      dataset_ids: [dataset],
      cases: [
        { query: 'How often is the pump oiled?', relevant: [{ text: 'oiled twice a year' }], expected_answer: 'twice' },
        { query: 'Which bridge spans the Danube?', relevant: [{ text: 'words that stand nowhere' }] },
        { query: 'Which orchestra plays tonight in Reykjavik?', answerable: false },
      ],
    });
    await open();
    const kept = page.getByRole('region', { name: 'Test cases and evaluations' });
    await kept.getByRole('listitem').filter({ hasText: 'Of the pumps' }).getByText('3 cases').waitFor();
    await kept.getByRole('button', { name: 'Evaluate Of the pumps' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 questions are asked').waitFor();
    await dialog.getByLabel('Name').fill('Pumps, first time');
    await dialog.getByRole('button', { name: 'Evaluate' }).click();
    await page.waitForURL(/\/evaluations\/[\w-]+$/);
    await page.getByRole('heading', { name: 'Pumps, first time' }).waitFor();
    await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 });
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { summary } = await service.admin.get<{
      summary: { variants: readonly { misses: number; metrics: Record<string, { mean: number; n: number }> }[] };
    }>(`/evaluations/jobs/${id}`);
    const [figures] = summary.variants;
    expect(figures).toMatchObject({ misses: 1, metrics: { 'hit_rate@10': { mean: 0.5, n: 2 } } });
    await page.getByText('1 of 2 found').waitFor();
    await page.getByRole('row', { name: /^Something relevant is found \(first 10\) 50% .*2 cases$/ }).waitFor();
    const row = (words: string) => page.getByRole('listitem').filter({ hasText: words });
    await row('How often is the pump oiled?').getByText('found, number 1 of the results').waitFor();
    await row('Which orchestra').getByText('rightly refused').waitFor();
    await row('Which bridge').getByText('not found').first().waitFor();
    // What should come of a case stands beside what came.
    await row('Which bridge')
      .getByText(/^To be found: |^Expected: /)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Excerpt not found' }).click();
    await row('How often').waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: 'Cases', exact: true }).getByRole('listitem').count()).toBe(1);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the report' }).click();
    expect((await download).suggestedFilename()).toBe('Pumps, first time.html');
    await row('Which bridge').getByRole('link', { name: 'Why?' }).click();
    await page.waitForURL(/\/why\?q=Which/);
    await page.goBack();
    await page.getByRole('main').getByRole('link', { name: 'Problems' }).click();
    await kept.getByRole('link', { name: 'Pumps, first time' }).waitFor();
    const listed = kept.getByRole('listitem').filter({ hasText: 'Pumps, first time' });
    await listed.getByText('1 of 2 found').waitFor();
    await listed.getByText('Completed', { exact: true }).waitFor();
  });

  it('takes along to the reason what a rated answer lacked', async () => {
    const asked = { refused: 0, rated_down: 1, last_asked_at: new Date().toISOString(), refusal_codes: [], case: null };
    const remarks = [{ reason: 'The old rule.', expected: 'Twice a month.', created_at: asked.last_asked_at }];
    const question = { ...asked, id: crypto.randomUUID(), question: 'How often is the pump oiled?', remarks };
    await page.route('**/questions?*', (route) => route.fulfill({ json: { items: [question], total: 1 } }));
    await page.route('**/health', async (route) => {
      const health = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...health, status: 'healthy', advice: [] } });
    });
    await open();
    await page.getByRole('heading', { name: 'The documents are in order, one question needs a look' }).waitFor();
    await page.getByRole('link', { name: 'Why?' }).click();
    await page.getByText('The answer to this question was rated down').waitFor();
    await page.getByText('Expected: Twice a month.').waitFor();
    expect(new URL(page.url()).searchParams.get('purpose')).toBe('chat');
    await page.getByLabel('Words that stand in it').waitFor();
    await page.unrouteAll();
  });

  it('has broken no page', () => {
    expect(complaints).toEqual([]);
  });
});
