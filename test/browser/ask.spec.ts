import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { ingest } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const NOTICE =
  'Either party may end this agreement by notice in writing, which has to reach the other six months before.';
const AGREEMENT = `# Framework agreement\n\n## 13. Payment\n\n13.1 Invoices are due in thirty days.\n\n## 14. Term\n\n14.2 ${NOTICE}\n`;
const HARBOURS = 'Harbour,Country,Berths\nNordhafen,Denmark,120\nPort Ambre,France,340\nCalla Vieja,Spain,95\n';
const HOSTILE = '<img src=x onerror=alert(1)>';
const QUESTION = 'How long before do we have to give notice to end the agreement?';
const TABLE_QUESTION = 'Which harbour has the most berths?';

interface Kept {
  readonly id: string;
  readonly title: string;
  readonly turns: readonly {
    readonly question: string;
    readonly feedback: {
      readonly rating: string;
      readonly reason: string | null;
      readonly expected: string | null;
    } | null;
  }[];
}

/** Someone who asks, looks at the answer from all sides, and comes back to it. */
describe('questions and answers in the console', () => {
  const service = useService();
  const complaints: string[] = [];
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let dataset: string;
  let other: string;

  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Contracts');
    other = await admin.createDataset('Harbours');
    await ingest(admin, dataset, { name: 'agreement.md', content: AGREEMENT });
    await ingest(admin, dataset, {
      name: `${HOSTILE.replaceAll('/', '')}.txt`,
      content: `The seal of the vault is ${HOSTILE} and **nothing** else.`,
    });
    await ingest(admin, other, { name: 'harbours.csv', content: HARBOURS, mediaType: 'text/csv' });
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site()).origin });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.type()}`);
      void dialog.accept();
    });
    await page.goto(site());
    await signIn(service.process.admin.password);
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });
  afterAll(() => browser?.close());

  const site = (path = '/'): string => new URL(path, service.process.url).href;
  const signIn = async (password: string): Promise<void> => {
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  /** Someone of the tenant who only reads. */
  const readerOf = async (email: string): Promise<{ readonly email: string; readonly password: string }> => {
    const password = 'a long enough password';
    const { tenant_id: tenant } = await service.admin.get<{ tenant_id: string }>('/auth/me');
    await service.admin.post(`/tenants/${tenant}/members`, { email, role: 'viewer', password });
    return { email, password };
  };
  const conversation = (): string => new URL(page.url()).searchParams.get('c') ?? '';
  const kept = (): Promise<Kept> => service.admin.get(`/conversations/${conversation()}`);
  const turn = (question: string): Locator =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name: question, exact: true }) });
  /** To be asked once more; "Try again" is of one that failed. */
  const again = (asked: Locator): Locator => asked.getByRole('button', { name: 'Ask again', exact: true });
  const isAnswered = (asked: Locator): Promise<void> => again(asked).waitFor({ timeout: 60_000 });
  const ask = async (question: string): Promise<Locator> => {
    await page.getByRole('textbox', { name: /Ask a (question|follow-up)/ }).fill(question);
    await page.keyboard.press('Enter');
    const asked = turn(question).last();
    await isAnswered(asked);
    return asked;
  };

  it('answers a question of the start page over everything, under an address of its own', async () => {
    await page.getByLabel('Ask a question').fill(QUESTION);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Source 1: open at its place' }).first().waitFor({ timeout: 60_000 });
    await page.waitForURL(/\/ask\?c=[0-9a-f-]{36}$/);
    expect(await page.getByText('over 2 datasets').count()).toBe(1);
    const others = page.getByRole('complementary', { name: 'Sources' }).getByRole('group');
    await others.getByText(/^Not cited: /).click();
    await others.getByRole('link', { name: 'Open at this place' }).first().waitFor();
    expect(await kept()).toMatchObject({ title: QUESTION, turns: [{ question: QUESTION }] });
  });

  it('copies an answer with its sources, each with the address of its place', async () => {
    await turn(QUESTION).getByRole('button', { name: 'Copy with sources' }).click();
    await turn(QUESTION).getByText('Copied').waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied).toContain(`${QUESTION}\n\n`);
    expect(copied).toMatch(/six months before\. ?\[1\]/);
    const address = /^\[1\] agreement\.md: (http\S+)$/m.exec(copied)![1]!;
    expect(address).toContain(`/d/${dataset}/documents/`);
  });

  it('numbers sources as the answer cites them, in the text, beside it and in what is copied', async () => {
    // The service numbers them as they were found, so that a single one may be the fifth.
    await page.route('**/api/v1/conversations/*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('[1]', '[5]') });
    });
    await page.reload();
    await turn(QUESTION).getByRole('link', { name: 'Source 1: open at its place' }).first().waitFor();
    const beside = page.getByRole('complementary', { name: 'Sources' });
    expect(await beside.locator('.cite').first().innerText()).toBe('1');
    await turn(QUESTION).getByRole('button', { name: 'Copy with sources' }).click();
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toMatch(/^\[1\] agreement\.md: http/m);
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).not.toContain('[5]');
    await page.unroute('**/api/v1/conversations/*');
  });

  it('takes a thumb with a reason and what was expected, and takes it back by the other thumb', async () => {
    const poor = turn(QUESTION).getByRole('button', { name: 'Poor answer' });
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith('/feedback'))));
    // Nothing counts before it is sent.
    await poor.click();
    expect(await poor.getAttribute('aria-pressed')).toBe('false');
    await turn(QUESTION).getByRole('button', { name: 'Close' }).click();
    expect(await turn(QUESTION).getByText('Rated as poor').count()).toBe(0);
    expect((await kept()).turns[0]!.feedback).toBeNull();
    expect(sent).toBe(0);
    await poor.click();
    await turn(QUESTION).getByLabel('What is wrong with it?').fill('Too long.');
    await turn(QUESTION).getByLabel('What should have been answered?').fill('Six months.');
    await turn(QUESTION).getByRole('button', { name: 'Send' }).click();
    await turn(QUESTION).getByText('Rated as poor').waitFor();
    expect(sent).toBe(1);
    const rated = { rating: 'down', reason: 'Too long.', expected: 'Six months.' };
    expect((await kept()).turns[0]!.feedback).toEqual(rated);
    await page.reload();
    await turn(QUESTION).getByText('Rated as poor').waitFor();
    await turn(QUESTION).getByRole('button', { name: 'Good answer' }).click();
    await turn(QUESTION).getByText('Rated as good').waitFor();
    expect((await kept()).turns[0]!.feedback).toMatchObject({ rating: 'up', reason: null });
  });

  it('is gone on with after a reload, from the list, and by its address in another tab', async () => {
    const before = conversation();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('listitem').getByRole('link', { name: QUESTION }).click();
    await turn(QUESTION).waitFor();
    expect(conversation()).toBe(before);
    await ask('And by which means?');
    expect((await kept()).turns.map(({ question }) => question)).toEqual([QUESTION, 'And by which means?']);
    const tab = await context.newPage();
    await tab.goto(page.url());
    await tab.getByRole('heading', { name: 'And by which means?' }).waitFor();
    await tab.close();
  });

  it('says of a refusal what was looked for and what is missing, with the nearest passages and the way to why', async () => {
    await page.goto(site(`/d/${dataset}/ask`));
    const answered = await ask(QUESTION);
    await answered.getByRole('link', { name: 'Source 1: open at its place' }).first().hover();
    const refused = await ask('Which discount did we agree with Baltic Rotor for 2027?');
    await refused.getByText('I found no clear answer. The nearest excerpts are below.').waitFor();
    // No longer those of the answer that was pointed at; the nearest passages stand in the refusal, once, as a person reads them.
    const beside = page.getByRole('complementary', { name: 'Sources' });
    await beside.getByText('Nothing is cited. What came nearest stands with the question.').waitFor();
    expect(await beside.getByRole('link').count()).toBe(0);
    const near = await refused.locator('.near blockquote').allTextContents();
    expect(near.length).toBeGreaterThan(0);
    expect(new Set(near).size).toBe(near.length);
    expect(await refused.getByText(/#|\*\*/).count()).toBe(0);
    await refused.getByText(/can read this question, without your name/).waitFor();
    await page.getByText('The built-in model answers: it quotes sentences of the documents.').waitFor();
    const why = refused.getByRole('link', { name: 'Why was no answer found?' });
    expect(await why.getAttribute('href')).toContain(`/d/${dataset}/why?q=Which+discount`);
  });

  it('speaks of no excerpt and of no source where nothing at all was found', async () => {
    const empty = await service.admin.createDataset('Empty shelf');
    await page.goto(site(`/d/${empty}/ask`));
    const refused = await ask('Which discount did we agree with Baltic Rotor?');
    await refused.getByText('The documents do not say.', { exact: true }).waitFor();
    expect(await page.locator('[data-said=answer]').innerText()).toBe('The documents do not say.');
    expect(await refused.getByText('Not in the nearest excerpt').count()).toBe(0);
    expect(await refused.getByRole('button', { name: 'Copy with sources' }).count()).toBe(0);
    await refused.getByRole('button', { name: 'Copy', exact: true }).click();
    await refused.getByText('Copied').waitFor();
    await service.admin.delete(`/datasets/${empty}`);
  });

  it('says in the language of the page why an answer is withheld, and that a name is taken', async () => {
    const short = await service.admin.createDataset('Lighthouses');
    const { id } = await ingest(service.admin, short, { name: 'lamp.txt', content: 'The lamp of Holmsay is green.' });
    await page.goto(site(`/d/${short}/ask`));
    await ask('Which colour has the lamp of Holmsay?');
    await service.admin.delete(`/documents/${id}`);
    await page.evaluate("localStorage.setItem('kb.language', 'de')");
    await page.reload();
    const withheld = page.getByText(/^Ein Dokument, auf dem diese Antwort oder eine frühere beruht/);
    await withheld.waitFor();
    expect(await page.getByText('that this answer').count()).toBe(0);
    await page.goto(site(`/d/${short}/settings`));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Contracts');
    await page.getByRole('button', { name: 'Speichern' }).first().click();
    await page.getByText('Eine andere Sammlung der Organisation heißt schon so.').waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'Neue Sammlung' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Contracts');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Eine andere Sammlung der Organisation heißt schon so.').waitFor();
    await page.evaluate("localStorage.setItem('kb.language', 'en')");
    await page.goto(site());
    await service.admin.delete(`/datasets/${short}`);
  });

  it('shows how a table was asked: its rows, and the statement', async () => {
    await page.goto(site(`/d/${other}/ask`));
    const answer = await ask(TABLE_QUESTION);
    await answer.getByText('Port Ambre').first().waitFor();
    await answer.getByText('Only the one with the greatest “Berths”').waitFor();
    expect(await answer.locator('pre').isVisible()).toBe(false);
    await answer.getByText('How it was read', { exact: true }).click();
    await answer.locator('pre', { hasText: /SELECT/i }).waitFor();
    await answer.getByText(/^Made of/).click();
    await answer.getByRole('link', { name: 'Harbour: Port Ambre · Country: France · Berths: 340' }).waitFor();
    const beside = page.getByRole('complementary', { name: 'Sources' });
    expect(await beside.locator('mark').first().innerText()).toBe(
      'Harbour: Port Ambre · Country: France · Berths: 340',
    );
    const row = answer.getByRole('link', { name: /Port Ambre/ }).first();
    expect(await row.getAttribute('href')).toContain(`/d/${other}/documents/`);
  });

  it('shows hostile words of documents, names, questions and titles as they are', async () => {
    await page.goto(site(`/d/${dataset}/ask`));
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const answer = await ask(`What is the seal of the vault? ${HOSTILE}`);
    await answer.getByText(HOSTILE).first().waitFor();
    await page.goto(site('/conversations'));
    await page.getByRole('link', { name: /seal of the vault/ }).waitFor();
    await page.getByRole('button', { name: /^Rename “What is the seal/ }).click();
    await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByRole('heading', { name: HOSTILE, exact: true }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect((await kept()).title).toBe(HOSTILE);
  });

  it('deletes a conversation after a moment, and its address then says that there is none', async () => {
    const gone = page.url();
    await page.goto(site('/conversations'));
    const row = page.getByRole('link', { name: HOSTILE });
    await page.getByRole('button', { name: `Delete “${HOSTILE}”` }).click();
    await page.getByText('is about to be deleted').waitFor();
    await row.waitFor({ state: 'hidden' });
    await page.getByText('is about to be deleted').waitFor({ state: 'hidden', timeout: 20_000 });
    await page.goto(gone);
    await page.getByText('Not here, or not for you.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  it('says that the service went away in the middle of an answer, and answers by itself when it is back', async () => {
    await page.goto(site(`/d/${dataset}/ask`));
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await ask(QUESTION);
    // "New" at an address that names no conversation: the next one gets an address all the same.
    await page.waitForURL(/\/ask\?c=[0-9a-f-]{36}$/);
    // The answer begins, and the connection is lost before its end.
    const cut = 'event: message\ndata: {"choices":[{"index":0,"delta":{"content":"Six "}}]}\n\n';
    await page.route('**/chat/completions', (route) =>
      route.fulfill({ status: 200, contentType: 'text/event-stream', body: cut }),
    );
    await page.getByRole('textbox', { name: 'Ask a follow-up' }).fill('And for invoices?');
    await page.keyboard.press('Enter');
    // Asked once more by itself, it is cut again: the next attempt is left to who asked.
    const followUp = turn('And for invoices?');
    await followUp.getByRole('button', { name: 'Try again' }).waitFor();
    await followUp.getByText('The answer broke off here.').waitFor();
    await page.unroute('**/chat/completions');
    await service.process.stop();
    await followUp.getByRole('button', { name: 'Try again' }).click();
    // Of the second attempt nothing has come.
    await followUp.getByText('The answer broke off here.').waitFor({ state: 'hidden' });
    await followUp.getByText('The service does not answer.').waitFor();
    await service.process.start();
    await isAnswered(followUp);
    expect(await followUp.count()).toBe(1);
    expect((await kept()).turns.map(({ question }) => question)).toEqual([QUESTION, 'And for invoices?']);
  });

  it('stops an answer, and offers to ask again', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/chat/completions', async (route) => {
      await held.promise;
      // The page has given it up: there may be nothing left to abort.
      await route.abort().catch(() => undefined);
    });
    await page.getByRole('textbox', { name: 'Ask a follow-up' }).fill('In which language?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop' }).focus();
    await page.keyboard.press('Enter');
    await turn('In which language?').getByText('Stopped.').waitFor();
    // The button goes, and who was on it goes on in the box.
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Ask a follow-up');
    held.resolve();
    await page.unroute('**/chat/completions');
    await again(turn('In which language?')).click();
    await expect.poll(() => turn('In which language?').count()).toBe(2);
    await isAnswered(turn('In which language?').last());
  });

  it('loses no question by a reload in the middle of its answer', async () => {
    const before = page.url();
    const question = 'In how many days are invoices due?';
    await page.goto(site(`/d/${dataset}/ask`));
    // Whoever comes to ask can type at once.
    const box = page.getByRole('textbox', { name: 'Ask a question' });
    await expect.poll(() => box.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.route('**/chat/completions', () => undefined);
    await page.keyboard.type(question);
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?]c=/);
    await page.getByText('Reading …').first().waitFor();
    // Left in the middle it is called as it was asked; where only this tab knows that, there is nothing to open elsewhere.
    const address = site(`/ask?c=${conversation()}`);
    const elsewhere = await context.newPage();
    await elsewhere.goto(site('/conversations'));
    await elsewhere.getByRole('link', { name: QUESTION }).first().waitFor();
    expect(await elsewhere.getByText('Without a question').count()).toBe(0);
    await elsewhere.close();
    await page.goto(site('/conversations'));
    await page.unroute('**/chat/completions');
    await page.getByRole('link', { name: question }).click();
    await page.waitForURL(address);
    await isAnswered(turn(question));
    expect((await kept()).turns.map((one) => one.question)).toEqual([question]);
    await page.reload();
    await isAnswered(turn(question));
    expect(await turn(question).count()).toBe(1);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await expect.poll(() => box.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.goto(before);
  });

  it('keeps what is asked and the ways from it in sight in a long conversation', async () => {
    const before = page.url();
    await page.goto(site(`/d/${dataset}/ask`));
    for (const question of ['Who may end the agreement?', 'When are invoices due?', 'What is the term?'])
      await ask(question);
    await page.setViewportSize({ width: 1440, height: 600 });
    await page.mouse.move(500, 300);
    await page.mouse.wheel(0, 5000);
    await expect.poll(() => page.evaluate('scrollY > 0')).toBe(true);
    const head = (await page.getByRole('heading', { name: 'Contracts', level: 1 }).boundingBox())!;
    expect(head.y).toBeGreaterThanOrEqual(0);
    const sources = (await page.getByRole('heading', { name: 'Sources' }).boundingBox())!;
    const tabs = (await page.getByRole('navigation', { name: 'Contracts' }).boundingBox())!;
    expect(sources.y).toBeGreaterThanOrEqual(tabs.y + tabs.height);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(before);
  });

  it('shares an answer by a link, which its owner revokes', async () => {
    const shared = turn(QUESTION).last();
    await shared.getByRole('button', { name: 'Share', exact: true }).click();
    await shared.getByText('Only you see “Contracts”: nobody else can open this link').waitFor();
    await shared.getByRole('button', { name: 'Make a link' }).click();
    const link = await shared.getByLabel('Link to this answer').inputValue();
    expect(link).toMatch(new RegExp(`^${site('/answers/')}[0-9a-f-]{36}$`));
    await page.reload();
    await turn(QUESTION).last().getByRole('button', { name: 'Shared', exact: true }).waitFor();

    const reader = await browser.newContext({ locale: 'en-GB' });
    const guest = await reader.newPage();
    const { email, password } = await readerOf('reader@example.com');
    await guest.goto(link);
    await guest.getByLabel('E-mail').fill(email);
    await guest.getByLabel('Password', { exact: true }).fill(password);
    await guest.getByRole('button', { name: 'Sign in' }).click();
    await guest.getByText('Not here, or not for you.').waitFor();
    await service.admin.patch(`/datasets/${dataset}`, { acl: 'all_team_members' });
    await guest.reload();
    await guest.getByRole('heading', { name: QUESTION }).waitFor();
    await guest.getByRole('link', { name: 'Source 1: open at its place' }).first().waitFor();
    expect(await guest.getByText('And for invoices?').count()).toBe(0);
    expect(await guest.getByRole('button', { name: 'Revoke the link' }).count()).toBe(0);

    await page.goto(site('/account'));
    const list = page.getByRole('list', { name: 'What you have shared' });
    await list.getByText(QUESTION).waitFor();
    expect(await list.innerText()).toMatch(/ends on .+ 20\d\d unless you go on/);
    await list.getByRole('button', { name: `Copy the link to “${QUESTION}”` }).waitFor();
    await list.getByRole('link', { name: `Open “${QUESTION}”` }).click();
    await page.waitForURL(link);
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    await page.getByRole('button', { name: 'Revoke the link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the link' }).click();
    await page.getByText('The link is revoked.').waitFor();
    await guest.reload();
    await guest.getByText('Not here, or not for you.').waitFor();
    await reader.close();
  });

  it('asks to sign in again where the session has ended, and then answers what was asked', async () => {
    const next = 'another-long-correct-horse-9';
    await page.goto(site(`/d/${dataset}/ask`));
    await ask(QUESTION);
    const admin = await service.anonymous.login(service.process.admin.email, service.process.admin.password);
    await admin.post('/auth/password', { current_password: service.process.admin.password, new_password: next });
    await page.getByRole('textbox', { name: 'Ask a follow-up' }).fill('When are invoices due?');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(service.process.admin.email);
    await signIn(next);
    // While it is open, the page behind it is hidden from who asks by role.
    await dialog.waitFor({ state: 'hidden' });
    const asked = turn('When are invoices due?');
    await isAnswered(asked);
    expect(await asked.textContent()).toMatch(/thirty days/);
  });

  it('has run no foreign script', () => {
    expect(complaints).toEqual([]);
  });
});
