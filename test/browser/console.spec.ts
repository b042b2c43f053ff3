import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenTo } from '../support/console/listening.js';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

const NOTICE =
  'Either party may end this agreement by notice in writing, which has to reach the other six months before.';
const AGREEMENT = `# Framework agreement\n\n## 13. Payment\n\n13.1 Invoices are due in thirty days.\n\n## 14. Term\n\n14.2 ${NOTICE}\n`;
/** Orders that look alike: enough for the list to have rows out of sight. */
const ORDERS = 60;
interface Chunk {
  readonly text: string;
}

const HOSTILE = '<img src=x onerror=alert(1)>';

/** Someone who keeps the knowledge of a team, at the console for the first time. */
describe('the console in a browser', () => {
  const service = useService();
  const complaints: string[] = [];
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-console-'));
    await mkdir(join(folder, 'files/orders'), { recursive: true });
    await writeFile(join(folder, 'files/agreement.md'), AGREEMENT);
    await writeFile(join(folder, 'files/empty.md'), '');
    await writeFile(join(folder, `files/${HOSTILE.replaceAll('/', '')}.txt`), `A name ${HOSTILE} in a text.`);
    for (let number = 1; number <= ORDERS; number += 1) {
      await writeFile(join(folder, `files/orders/order-${number}.txt`), `Order ${number}: ${number * 3} gearboxes.`);
    }
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.type()}`);
      void dialog.accept();
    });
    page.on('console', (message) => {
      const isRefusal = /status of (401|409|422|429)/.test(message.text());
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    await page.goto(site());
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const site = (path = '/'): string => new URL(path, service.process.url).href;
  const signIn = async (password: string): Promise<void> => {
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const dataset = (): string => /\/d\/([^/]+)\//.exec(page.url())![1]!;

  it('fails at nothing for who comes without a session, and comes again', async () => {
    const fresh = await browser.newContext();
    const first = await fresh.newPage();
    const failed: string[] = [];
    first.on('console', (message) => message.type() === 'error' && failed.push(message.text()));
    first.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
    for (const path of ['/', '/d/somewhere/ask']) {
      await first.goto(site(path));
      await first.getByLabel('E-mail').waitFor();
    }
    expect(failed).toEqual([]);
    await fresh.close();
  });

  it('says that a password does not fit, and lets in the one that does', async () => {
    await signIn('not this one');
    await page.getByText('E-mail or password is wrong.').waitFor();
    await signIn(service.process.admin.password);
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    expect(
      await page.evaluate('[...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie]'),
    ).toEqual(['']);
  });

  it('makes a dataset, and takes a folder with its paths', async () => {
    await page.getByText('There is no dataset yet').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'New dataset' }).click();
    await page.getByLabel('Name').fill('Contracts');
    await page.getByLabel('All members').check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('No documents yet').first().waitFor();
    await page.locator('input[type=file]').nth(1).setInputFiles(join(folder, 'files'));
    await page.getByText(`${ORDERS + 3} files uploaded`).waitFor({ timeout: 90_000 });
    await page.getByRole('button', { name: 'Close' }).click();
    const listed = await service.admin.get<{ items: readonly { path: string }[]; total: number }>(
      `/documents/?dataset_id=${dataset()}&limit=100`,
    );
    expect(listed.total).toBe(ORDERS + 3);
    expect(listed.items.map(({ path }) => path)).toContain('files/orders/order-7.txt');
  });

  it('keeps only rows in sight in the page, and moves by keys', async () => {
    await page.getByText('1 failed').waitFor({ timeout: 60_000 });
    // One row more is the head.
    await page.locator(`[role=grid][aria-rowcount="${ORDERS + 4}"]`).waitFor();
    const rows = page.locator('[role=rowgroup] [role=row]');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await rows.first().focus();
    await page.keyboard.press('End');
    await page.locator(`[data-index="${ORDERS + 2}"]`).waitFor();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected').waitFor({ state: 'hidden' });
  });

  it('says why a file failed', async () => {
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('link', { name: '1 failed' }).click();
    await page.getByText(/no content \(0 bytes\)/).waitFor();
    expect(page.url()).toContain('state=failed');
  });

  it('says on the page of a failed document, also in German, what can be done', async () => {
    await page.getByRole('row').filter({ hasText: 'empty.md' }).first().click();
    await page.getByText('No text could be read').waitFor();
    const language = page.getByLabel('Language');
    await language.selectOption('de');
    await page.getByText('Prüfen Sie, ob sie vollständig gespeichert wurde').first().waitFor();
    await page.getByLabel('Sprache').selectOption('en');
    await page.goBack();
    expect(page.url()).toContain('state=failed');
  });

  it('asks to be loaded again where a part of it is not there any more', async () => {
    const other = await context.newPage();
    await other.goto(site());
    // As after an update of the service: the files of the page that is open are gone.
    await other.route('**/console/people-*.js', (route) => route.fulfill({ status: 404, body: '' }));
    await other.getByRole('link', { name: 'People' }).click();
    await other.getByText('This page has to be loaded again.').waitFor();
    await other.unroute('**/console/people-*.js');
    await other.getByRole('button', { name: 'Load the page again' }).click();
    await other.getByRole('heading', { name: 'People' }).waitFor();
    expect(await other.getByText('This page has to be loaded again.').count()).toBe(0);
    await other.close();
  });

  it('deletes after a moment in which it can be taken back', async () => {
    const total = async (): Promise<number> =>
      (await service.admin.get<{ total: number }>(`/documents/?dataset_id=${dataset()}`)).total;
    const remove = async (): Promise<void> => {
      await page.locator('[role=rowgroup] [role=row]').first().focus();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/“.+” is about to be deleted/).waitFor();
      await page.getByText(/^in \d+ s$/).waitFor();
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/“.+” is about to be deleted/).waitFor({ state: 'hidden' });
    await remove();
    expect(await total()).toBe(ORDERS + 3);
    await page.getByText(/“.+” is about to be deleted/).waitFor({ state: 'hidden' });
    expect(await total()).toBe(ORDERS + 2);
    await page.getByText('One document was deleted').waitFor();
    await page.getByText('One document was deleted').waitFor({ state: 'hidden' });
  });

  it('deletes at once where the page is left, or the person signs out, before that moment', async () => {
    const names = ['leaving-1.txt', 'leaving-2.txt'];
    const documents = site(`/d/${dataset()}/documents`);
    for (const name of names) await service.admin.upload(dataset(), { name, content: `${name} is not kept.` });
    const left = async (): Promise<number> =>
      (await service.admin.get<{ total: number }>(`/documents/?dataset_id=${dataset()}&q=leaving-`)).total;
    const remove = async (name: string): Promise<void> => {
      await page.goto(`${documents}?q=${name}`);
      await page.getByRole('row', { name }).focus();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(`“${name}” is about to be deleted`).waitFor();
    };
    await remove(names[0]!);
    expect(await left()).toBe(2);
    await page.reload();
    // Sooner than it would have been done by itself.
    await expect.poll(left, { timeout: 5_000 }).toBe(1);
    await remove(names[1]!);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(left, { timeout: 5_000 }).toBe(0);
    await signIn(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(documents);
    await page.locator('[role=rowgroup] [role=row]').first().waitFor();
  });

  it('answers, and opens a citation at its place', async () => {
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByLabel('Ask a question').waitFor();
    await page.evaluate(listenTo('answer'));
    await page.getByLabel('Ask a question').fill('How long before do we have to give notice to end the agreement?');
    await page.keyboard.press('Enter');
    const citation = page.getByRole('link', { name: 'Source 1: open at its place' }).first();
    await citation.waitFor({ timeout: 30_000 });
    // A screen reader hears that it comes and that it is there, and not each word.
    const said = (): Promise<string[]> => page.evaluate<string[]>('said');
    await expect
      .poll(said)
      .toEqual(['The answer is being written.', expect.stringMatching(/^The answer is there, with/)]);
    expect(await page.locator('.answer[aria-live]').count()).toBe(0);
    await citation.click();
    const mark = page.locator('mark').first();
    await mark.waitFor();
    expect(await mark.textContent()).toContain('notice in writing');
    expect(await mark.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(900);
    await page.getByRole('button', { name: 'Back' }).click();
    await citation.waitFor();
  });

  it('searches, and says why a passage is missing, with a change that brings it back', async () => {
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByLabel('Words or a question').fill('order gearboxes');
    await page.keyboard.press('Enter');
    await page.getByText(/10 excerpts,/).waitFor();
    await page.getByRole('link', { name: 'Something is missing?' }).click();
    await page.getByLabel('Words that stand in it').fill('Invoices are due in thirty days');
    await page.keyboard.press('Enter');
    await page.getByText('Stage').waitFor();
    const apply = page.getByRole('button', { name: 'Search this way' }).first();
    await apply.click();
    await page.getByText('Invoices are due in thirty days').first().waitFor();
    await page.getByText('This search is changed').waitFor();
    expect(new URL(page.url()).searchParams.has('before')).toBe(true);
  });

  it('opens a PDF at the place, marked on its page and in its text', async () => {
    const bytes = await readFile(new URL('../fixtures/documents/report.pdf', import.meta.url));
    const { id } = await service.admin.upload(dataset(), {
      name: 'report.pdf',
      content: bytes,
      mediaType: 'application/pdf',
    });
    await service.admin.pollUntilTerminal(id);
    const { items } = await service.admin.get<{ items: readonly Chunk[] }>(`/documents/${id}/chunks`);
    const sentence = items[0]!.text.split(/(?<=[.!?])\s/)[0]!;
    await page.getByLabel('Words or a question').fill(sentence.slice(0, 200));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'report.pdf' }).first().click();
    await page.locator('[data-cited]').first().waitFor();
    expect(Number(await page.locator('canvas').getAttribute('width'))).toBeGreaterThan(100);
    await page.locator('mark').first().waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
  });

  it('opens the description of the interface beside itself', async () => {
    const opened = context.waitForEvent('page');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API opens in a new tab' }).click();
    const beside = await opened;
    expect(new URL(beside.url()).pathname).toBe('/docs');
    await beside.close();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('shows a hostile name and text as they are', async () => {
    await page.getByLabel('Words or a question').fill('a name in a text');
    await page.keyboard.press('Enter');
    await page.getByText(`A name ${HOSTILE} in a text.`).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('stays signed in over a reload, also one in the middle of another, and in a second tab', async () => {
    await page.reload();
    await page.getByLabel('Words or a question').waitFor();
    const asked = page.waitForRequest(/auth\/refresh$/);
    await page.reload({ waitUntil: 'commit' });
    await asked;
    await page.reload();
    await page.getByLabel('Words or a question').waitFor();
    // As when the answer to that request is lost: the browser has the cookie that was used.
    const [{ name, value }] = (await context.cookies(site('/api/v1/auth/refresh'))) as [Cookie];
    const headers = { Cookie: `${name}=${value}`, Origin: new URL(site()).origin };
    await service.anonymous.post('/auth/refresh', {}, headers);
    await page.reload();
    await page.getByLabel('Words or a question').waitFor();
    const other = await context.newPage();
    await other.goto(site());
    await other.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await other.close();
    const cookies = await context.cookies(site('/api/v1/auth/refresh'));
    expect(cookies).toMatchObject([{ name: 'kb_refresh', httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth' }]);
    expect(await context.cookies(site('/'))).toEqual([]);
  });

  it('shows where someone is signed in, and ends what is not wanted', async () => {
    const before = page.url();
    const { email, password } = service.process.admin;
    await service.anonymous.send('POST', '/auth/login', { email, password }, { 'User-Agent': 'Firefox/140 (Linux)' });
    await page.getByRole('link', { name: 'admin', exact: true }).click();
    await page.getByText('this one').waitFor();
    const stranger = page.getByRole('listitem').filter({ hasText: 'Firefox, Linux' });
    await stranger.getByRole('button', { name: 'End' }).click();
    await stranger.waitFor({ state: 'hidden' });
    expect(await stranger.count()).toBe(0);
    await page.goto(before);
    await page.getByLabel('Words or a question').waitFor();
  });

  it('lets someone in by the link of an invitation, who reads what it does and presses the button', async () => {
    const { tenants } = await service.admin.get<{ tenants: { id: string }[] }>('/auth/me');
    const { id } = tenants[0]!;
    const invited = { email: 'colleague@example.com', role: 'viewer' };
    const { secret } = await service.admin.post<{ secret: string }>(`/tenants/${id}/members`, invited);
    const members = async (): Promise<number> =>
      (await service.admin.get<{ total: number }>(`/tenants/${id}/members`)).total;
    const elsewhere = await browser.newContext({ locale: 'en-GB' });
    const other = await elsewhere.newPage();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    await other.goto(site(`/invitation#${secret}`));
    await other.getByText('as viewer. This link can be used until').waitFor();
    await other.getByText('The role viewer: reads and asks in the datasets that are shared.').waitFor();
    // The service's own word for an organisation that nobody has named.
    expect(await other.locator('body').innerText()).not.toContain('Default');
    expect(await members()).toBe(1);
    await other.getByLabel('New password').fill('password1');
    await other.getByRole('button', { name: 'Join this knowledge base' }).click();
    await other.getByText(/^This password is too easy to guess: .+\.$/).waitFor();
    await other.getByLabel('New password').fill('hinge-lantern-47-otter');
    await other.getByRole('button', { name: 'Join this knowledge base' }).click();
    await other.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    expect(await members()).toBe(2);
    expect(other.url()).toBe(site());
    expect(asked.filter((url) => url.includes(secret))).toEqual([]);
    await other.goto(site(`/invitation?#${secret}`));
    await other.getByText('This invitation no longer holds').waitFor();
    expect(service.process.log.join('\n')).not.toContain(secret);
    await elsewhere.close();
  });

  it('asks to sign in again where a session has ended, and stays where it was', async () => {
    await service.admin.post('/auth/password', {
      current_password: service.process.admin.password,
      new_password: 'another-long-correct-horse-9',
    });
    await page.getByLabel('Words or a question').fill('gearboxes');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Please sign in again' }).waitFor();
    const before = page.url();
    await signIn('another-long-correct-horse-9');
    await page.getByRole('heading', { name: 'Please sign in again' }).waitFor({ state: 'hidden' });
    await page.locator('blockquote mark', { hasText: 'gearboxes' }).first().waitFor();
    expect(page.url()).toBe(before);
  });

  it('has run no foreign script, broken no policy of its page, and asked no one else', async () => {
    expect(complaints).toEqual([]);
    expect(
      await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).host)),
    ).toSatisfy((hosts: readonly string[]) => hosts.every((host) => host === '' || host === new URL(site()).host));
  });
});
