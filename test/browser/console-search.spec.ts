import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchAnswer } from '../support/api-client.js';
import { ingestArchive, zipOf } from '../support/archive-files.js';
import { launchChromium } from '../support/chromium.js';
import { addMember, personOf } from '../support/people.js';
import { useService } from '../support/service-process.js';

const AGREEMENT =
  '# Framework agreement\n\n## 13. Payment\n\n13.1 Invoices are due in thirty days.\n\n## 14. Term\n\n14.2 Notice takes six months.\n';
const ORDERS = 24;
/** A shell takes each of these for something else. */
const AWKWARD = `order's "gearboxes" $HOME`;

interface Policy {
  readonly policy: { readonly retrieval_defaults: Readonly<Record<string, unknown>> };
}
interface Scored {
  readonly score: number;
  readonly scores: { readonly keyword: number; readonly vector: number };
}
interface Listed {
  readonly items: readonly { readonly id: string }[];
}
interface Chunks {
  readonly items: readonly { readonly chunk_id: string }[];
}
interface CaseSet {
  readonly cases: readonly { readonly query: string; readonly relevant: readonly unknown[] }[];
}

/** Someone who looks after what is found. */
describe('search in the console', () => {
  const service = useService();
  const complaints: string[] = [];
  let browser: Browser;
  let page: Page;
  let dataset: string;
  let agreement: string;
  let archive: string;

  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Contracts', { acl: 'all_team_members' });
    const tags = { tags: 'legal' };
    agreement = (await admin.upload(dataset, { name: 'agreement.md', content: AGREEMENT }, tags)).id;
    const files = Array.from({ length: ORDERS }, (_, index) =>
      admin.upload(dataset, {
        name: `order-${index}.txt`,
        content: `Order ${index}: ${index * 3} gearboxes${' for the order of the mill'.repeat(index % 4)}.`,
      }),
    );
    archive = (await ingestArchive(admin, dataset, zipOf({ 'a.txt': 'Lanterns of the harbour.', 'b.txt': 'Ropes.' })))
      .id;
    for (const { id } of [{ id: agreement }, ...(await Promise.all(files))]) await admin.pollUntilTerminal(id);
    browser = await launchChromium();
    page = await newPage();
    await signIn(page, service.process.admin.email, service.process.admin.password);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const site = (path: string): string => new URL(path, service.process.url).href;
  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    const made = await context.newPage();
    made.on('pageerror', (error) => complaints.push(error.message));
    return made;
  };
  const signIn = async (on: Page, email: string, password: string): Promise<void> => {
    await on.goto(site('/'));
    await on.getByLabel('E-mail').fill(email);
    await on.getByLabel('Password', { exact: true }).fill(password);
    await on.getByRole('button', { name: 'Sign in' }).click();
    await on.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  };
  const open = (tab: string, values: Readonly<Record<string, string>>): Promise<unknown> =>
    page.goto(site(`/d/${dataset}/${tab}?${new URLSearchParams(values).toString()}`));
  const shown = (within = 'main'): Promise<string[]> =>
    page.locator(`${within} li[data-chunk]`).evaluateAll((rows) => rows.map((row) => row.dataset['chunk']!));
  const found = (query: string, more = {}): Promise<SearchAnswer> => service.admin.search(query, [dataset], more);
  const idsOf = ({ results }: SearchAnswer): string[] => results.map(({ chunk_id: id }) => id);

  it('says before the first search how it will be done', async () => {
    await open('search', {});
    const method = page.getByRole('group', { name: 'Method' });
    await method.getByRole('button', { name: 'Both', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Search settings' }).click();
    expect(await page.getByLabel('Results').locator('option:checked').innerText()).toBe('as set: 10');
  });

  it('shows what each channel thought of a passage, as the service gives it', async () => {
    await open('search', { q: 'order gearboxes' });
    const first = page.locator('li[data-chunk]').first();
    await first.waitFor();
    const answer = await found('order gearboxes');
    expect(await shown()).toEqual(idsOf(answer));
    const { scores, score } = answer.results[0] as unknown as Scored;
    const text = await first.locator('dl').innerText();
    for (const value of [scores.keyword, scores.vector, score]) expect(text).toContain(value.toFixed(3));
    expect(await first.locator('mark').allTextContents()).toContain('gearboxes');
  });

  it('searches documents of a tag alone, and keeps that in its address', async () => {
    await page.getByRole('button', { name: 'legal 1' }).click();
    await page.locator('li[data-chunk]', { hasText: 'agreement.md' }).first().waitFor();
    await page.waitForURL(/tag=legal/);
    const filters = { type: 'in', key: 'tags', value: ['legal'] };
    expect(await shown()).toEqual(idsOf(await found('order gearboxes', { filters })));
    await page.getByText(/^1 excerpt; of \d+, only those within the filters were searched/).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'legal 1', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Without filters' }).click();
    await page.getByText(/10 excerpts,/).waitFor();
  });

  it.each([1280, 360])('has room for all filters beside results at %i px', async (width) => {
    const before = page.viewportSize()!;
    await page.setViewportSize({ width, height: 740 });
    await open('search', { q: 'order gearboxes' });
    await page.locator('li[data-chunk]').first().waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Uploaded until').waitFor();
    const room = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(room)).toBe(0);
    await page.setViewportSize(before);
  });

  it('puts two settings side by side, and shows which passages have moved', async () => {
    await page.getByRole('button', { name: 'Side by side' }).click();
    const right = page.getByRole('region', { name: 'Second settings' });
    await right.getByRole('button', { name: 'By meaning' }).click();
    await page.getByText(/\d+ (rose|new)/).waitFor();
    const lists = [await found('order gearboxes'), await found('order gearboxes', { search_method: 'vector' })].map(
      idsOf,
    );
    const [before, after] = lists as [string[], string[]];
    const moved = before.find((id) => after.includes(id) && after.indexOf(id) !== before.indexOf(id))!;
    expect(moved).toBeDefined();
    const mark = page.locator(`[id="left-${moved}"] button`, { hasText: `now ${after.indexOf(moved) + 1}` });
    await mark.click();
    expect(await page.evaluate('document.activeElement.id')).toBe(`right-${moved}`);
    const gone = before.filter((id) => !after.includes(id)).length;
    if (gone > 0) expect(await page.getByText('not in the second').count()).toBe(gone);
    await page.getByRole('button', { name: 'Take the second' }).click();
    await page.waitForURL(/method=vector/);
    await expect.poll(() => shown()).toEqual(after);
    // The button that was pressed has gone: what is nearest has the focus.
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false);
  });

  it('shows the request for programs, and curl finds the same', async () => {
    await open('search', { q: AWKWARD, top_k: '5', since: '2020-01-01' });
    await page.locator('li[data-chunk]').first().waitFor();
    await page.getByRole('button', { name: 'The same by API' }).click();
    const code = await page.locator('[data-code=curl]').innerText();
    const { secret } = await service.admin.post<{ secret: string }>('/auth/api-keys', {
      name: 'programs',
      scopes: ['retrieval:search'],
    });
    const output = execFileSync('sh', ['-c', code], { encoding: 'utf8', env: { ...process.env, KB_TOKEN: secret } });
    const ids = idsOf(JSON.parse(output) as SearchAnswer);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(await shown());
    await page.getByRole('button', { name: 'TypeScript' }).click();
    await page.locator('[data-code=typescript]').waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps a question with its passage as a case', async () => {
    await open('search', { q: 'When are invoices due?' });
    const row = page.locator('li[data-chunk]', { hasText: 'agreement.md' }).first();
    await row.getByRole('button', { name: 'Keep as a test case' }).click();
    await page.getByLabel('Name of the case set').fill('From the search');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep as a test case' }).click();
    await page.getByText('Kept in “From the search”').waitFor();
    const { items } = await service.admin.get<{ items: readonly { id: string; name: string }[] }>(
      `/evaluations/case-sets?dataset_id=${dataset}`,
    );
    expect(items.map(({ name }) => name)).toEqual(['From the search']);
    const { cases } = await service.admin.get<CaseSet>(`/evaluations/case-sets/${items[0]!.id}`);
    expect(cases).toMatchObject([
      {
        query: 'When are invoices due?',
        relevant: [{ document_id: agreement, text: '13.1 Invoices are due in thirty days.' }],
      },
    ]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  it('says why a passage is missing, brings it back, and takes that back', async () => {
    await open('search', { q: 'order gearboxes', top_k: '5' });
    await page.getByRole('link', { name: 'Something is missing?' }).click();
    await page.getByLabel('Words that stand in it').fill('Invoices are due in thirty days');
    await page.keyboard.press('Enter');
    await page.locator('[data-end]').first().waitFor();
    // Nothing passes behind the place where it fell out.
    expect(await page.locator('[data-end] ~ [data-outcome=passed]').count()).toBe(0);
    const suggestions = page.locator('aside li', { has: page.getByRole('button', { name: 'Search this way' }) });
    await suggestions.first().waitFor();
    // What only shows more comes last, and each says what it brought.
    const told = await suggestions.allInnerTexts();
    expect(
      told.every((words) => /Tried: it becomes number \d+\./.test(words)),
      told.join(),
    ).toBe(true);
    const isMore = told.map((words) => /Results 5 /.test(words));
    expect(isMore).toContain(true);
    expect(isMore.lastIndexOf(false)).toBeLessThan(isMore.indexOf(true));
    const suggestion = suggestions.nth(isMore.indexOf(true));
    await suggestion.getByRole('button', { name: 'Search this way' }).click();
    await page.getByText('This search is changed').waitFor();
    await page.getByText('the one you looked for').waitFor();
    const sought = page.locator('li[data-chunk]', { hasText: 'the one you looked for' });
    expect(await sought.innerText()).toContain('Invoices are due in thirty days');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This search is changed').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('top_k')).toBe('5');
    await expect.poll(() => shown()).toEqual(idsOf(await found('order gearboxes', { top_k: 5 })));
  });

  it('says at once what the search did, without a name of what was to be found', async () => {
    await open('why', { q: 'order Zweitschrift gearboxes', top_k: '2', path: 'elsewhere/' });
    const main = page.getByRole('main');
    const verdict = main.getByText('Nothing was found.');
    await verdict.waitFor();
    const asked = await main.getByRole('heading', { name: 'Was something else to be found?' }).boundingBox();
    expect(asked!.y).toBeLessThan((await verdict.boundingBox())!.y);
    await main.locator('[data-stage=documents]', { hasText: /of \d+ documents/ }).waitFor();
    await main.locator('[data-stage=filters]', { hasText: 'Folder and name begins with “elsewhere/”' }).waitFor();
    expect(await main.locator('[data-stage=filters]').innerText()).toMatch(/removes \d+ documents/);
    await main.getByText('One of them occurs nowhere in the documents.').waitFor();
    const left = main.getByText(/The filters leave its document out\. Folder and name begins with “elsewhere\/”/);
    await left.first().waitFor();
    for (const raw of ['METADATA_FILTER', 'starts_with', '/filters', 'FILTERS_TOO_STRICT'])
      expect([raw, await main.getByText(raw).locator('visible=true').count()]).toEqual([raw, 0]);
    await main.getByText('Details for support', { exact: true }).click();
    await main.getByText('FILTERS_TOO_STRICT').waitFor();
    await main.getByRole('button', { name: 'Why not this one?' }).first().click();
    await main.locator('[data-stage=filters][data-outcome=removed]').waitFor();
    expect(new URL(page.url()).searchParams.has('chunk')).toBe(true);
    await main.getByRole('button', { name: 'The search as a whole' }).click();
    await left.first().waitFor();
  });

  it('counts the documents of all datasets that were asked, however many', async () => {
    const more = Array.from({ length: 11 }, async (_, index) => {
      const id = await service.admin.createDataset(`Shelf ${index}`, {});
      const { id: file } = await service.admin.upload(id, {
        name: 'list.txt',
        content: `Shelf ${index} has gearboxes.`,
      });
      await service.admin.pollUntilTerminal(file);
      return id;
    });
    const all = [dataset, ...(await Promise.all(more))];
    let total = 0;
    for (const id of all)
      total += (await service.admin.get<{ total: number }>(`/documents/facets?dataset_id=${id}`)).total;
    await open('why', { q: 'gearboxes', change: JSON.stringify({ dataset_ids: all }) });
    const row = page.locator('[data-stage=documents]');
    await row.waitFor();
    expect(await row.innerText()).toContain(`of ${total} documents`);
    for (const id of all.slice(1)) await service.admin.delete(`/datasets/${id}`);
  });

  it('makes a suggestion the rule of the dataset after saying whom it concerns, and takes that back', async () => {
    const defaults = async (): Promise<Policy['policy']['retrieval_defaults']> =>
      (await service.admin.get<Policy>(`/datasets/${dataset}/ingestion-policy`)).policy.retrieval_defaults;
    const before = await defaults();
    await open('why', { q: 'order gearboxes', text: 'Invoices are due in thirty days' });
    await page.getByRole('button', { name: 'For every search' }).first().click();
    const asked = page.locator('.note', { hasText: 'for everybody' });
    await asked
      .getByText(/ default/)
      .first()
      .waitFor();
    expect(await defaults()).toEqual(before);
    await page.getByRole('button', { name: 'For every search', exact: true }).first().click();
    await page.getByText('It holds for every search now').waitFor();
    expect(await defaults()).not.toEqual(before);
    const isThere = (answer: SearchAnswer): boolean => answer.results.some(({ document_id: id }) => id === agreement);
    expect(isThere(await found('order gearboxes'))).toBe(true);
    await page.getByText('The search was repeated: the excerpt is found now.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('It holds for every search now').waitFor({ state: 'hidden' });
    expect(await defaults()).toEqual(before);
    expect(isThere(await found('order gearboxes'))).toBe(false);
  });

  it('shows in Settings what searches have in place of the defaults, and the way back to these', async () => {
    const path = `/datasets/${dataset}/ingestion-policy`;
    const { policy } = await service.admin.get<Policy>(path);
    const defaults = async (): Promise<object> => (await service.admin.get<Policy>(path)).policy.retrieval_defaults;
    const changed = { top_k: 14, rerank: { enabled: false, top_n: 20 } };
    await service.admin.send('PUT', path, { ...policy, retrieval_defaults: changed });
    await page.goto(site(`/d/${dataset}/settings`));
    const own = page.getByRole('list', { name: 'Search and answers' });
    await own.getByText('Results: 14').waitFor();
    await page.getByRole('button', { name: 'Back to the default: Results: 14' }).click();
    await own.getByText('Results: 14').waitFor({ state: 'hidden' });
    expect(await defaults()).toEqual({ rerank: changed.rerank });
    // Two values of one option go together: half of it would mean something else.
    await own.getByText('Compare the best again: off').waitFor();
    await own.getByText('Excerpts that are compared again: 20').waitFor();
    await own.getByRole('button', { name: /^Back to the default/ }).click();
    await page.getByText('Searches and answers of this dataset use the defaults.').waitFor();
    expect(await defaults()).toEqual({});
  });

  it('tells of the words of a question by one measure, for the whole search and for an excerpt', async () => {
    const chunkOf = async (document: string): Promise<string> =>
      (await service.admin.get<Chunks>(`/documents/${document}/chunks`)).items[0]!.chunk_id;
    const words = async (): Promise<string[]> => {
      const list = page
        .getByRole('heading', { name: 'Words of the question' })
        .locator('xpath=following-sibling::ul[1]');
      await list.waitFor();
      return (await list.getByRole('listitem').allTextContents()).map((one) => one.trim());
    };
    const q = 'How is the invoice of the turbine paid?';
    await open('why', { q });
    expect(await words()).toEqual(['invoiceoccurs', 'turbineoccurs nowhere', 'paidoccurs nowhere']);
    await open('why', { q, chunk: await chunkOf(agreement) });
    expect(await words()).toEqual(['invoicestands in it', 'turbineoccurs nowhere', 'paidoccurs nowhere']);
    const { items } = await service.admin.get<Listed>(`/documents/?dataset_id=${dataset}&q=order-3.txt`);
    const order = await chunkOf(items[0]!.id);
    await open('why', { q, chunk: order });
    expect(await words()).toEqual(['invoicein other excerpts only', 'turbineoccurs nowhere', 'paidoccurs nowhere']);
    // Found in the list of words without any of the words.
    const change = JSON.stringify({ search_method: 'keyword' });
    await open('why', { q: 'gearboxlike', chunk: order, change });
    await page.locator('[data-stage=keyword]').getByText('By parts of words: none stands in it').waitFor();
    // What no list has was not found.
    await open('why', { q: 'order gearboxes', chunk: await chunkOf(agreement), change });
    await page.getByText('The search did not come upon it.').waitFor();
    await page.getByText('No word of the question stands in it').waitFor();
    expect(await page.getByText('It was found').count()).toBe(0);
  });

  it('explains a document, an archive by its files, and a filter', async () => {
    await open('why', { q: 'order gearboxes' });
    await page.getByLabel('A document').fill('agreement');
    await page.getByRole('button', { name: 'agreement.md' }).click();
    await page.getByText('The search did not come upon it.').waitFor();
    await open('why', { q: 'order gearboxes', document: archive });
    await page.getByText('It was found, and others were taken.').waitFor();
    await page.getByRole('link', { name: /^(a|b)\.txt$/ }).waitFor();
    await open('why', { q: 'order gearboxes', document: agreement, path: 'elsewhere/' });
    await page.locator('[data-stage=filters][data-outcome=removed]').waitFor();
    await page.getByRole('button', { name: 'Search this way' }).first().click();
    await page.getByText('This search is changed').waitFor();
    expect(new URL(page.url()).searchParams.has('path')).toBe(false);
  });

  it('of a question that is refused shows what was found first, and no stage as a success', async () => {
    await open('why', { q: "What is the harbour doctor's salary?", purpose: 'chat' });
    const answer = page.locator('[data-stage=answer]');
    await answer.getByText('The question is refused').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
      expect.arrayContaining(['The best that was found', 'Nearest excerpts that were left out']),
    );
    const [best, leftOut] = await Promise.all(
      ['The best that was found', 'Nearest excerpts that were left out'].map((name) =>
        page.getByRole('heading', { name }).boundingBox(),
      ),
    );
    expect(best!.y).toBeLessThan(leftOut!.y);
    await page.getByRole('listitem').getByText("doctor's").waitFor();
    expect(await page.getByRole('listitem').getByText(/^s$/).count()).toBe(0);
    // Where nothing came of it, a tick is no sign of success.
    const colourOf = (stage: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('[data-stage=${stage}] > svg')).color`);
    await open('why', { q: 'invoices due', purpose: 'chat' });
    await page.locator('[data-stage=answer]').getByText('The question is answered').waitFor();
    const success = await colourOf('top_k');
    await open('why', { q: "What is the harbour doctor's salary?", purpose: 'chat' });
    await answer.getByText('The question is refused').waitFor();
    expect(await colourOf('top_k')).not.toBe(success);
    expect(await colourOf('answer')).not.toBe(await colourOf('top_k'));
  });

  it('offers to say why where nothing is found', async () => {
    await open('search', { q: 'order gearboxes', path: 'elsewhere/' });
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByText(/^No excerpt; of \d+, only those within the filters were searched/).waitFor();
    // There is one way to the reason, not two.
    expect(await page.getByRole('link', { name: 'Something is missing?' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Why was nothing found?' }).click();
    await page.waitForURL(/\/why\?/);
    expect(new URL(page.url()).searchParams.get('path')).toBe('elsewhere/');
  });

  it('is not for who only reads: the tab is not there, its address says why', async () => {
    const owner = await personOf(service.admin, service.process.admin.email);
    const reader = await addMember(owner, 'reader@example.com', 'viewer');
    const other = await newPage();
    await signIn(other, reader.email, 'a long enough password');
    await other.goto(site(`/d/${dataset}/documents`));
    const tabs = other.getByRole('navigation', { name: 'Contracts' });
    await tabs.waitFor();
    expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['Ask', expect.stringMatching(/^Documents/)]);
    for (const tab of ['search?q=order', 'why?q=order', 'quality']) {
      await other.goto(site(`/d/${dataset}/${tab}`));
      await other.getByText('This page is not for your role').waitFor();
      expect(await other.locator('li[data-chunk]').count()).toBe(0);
    }
  });

  it('has broken no page', () => {
    expect(complaints).toEqual([]);
  });
});
