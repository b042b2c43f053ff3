import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { useService } from '../support/service-process.js';

const COLLEAGUE = { email: 'colleague@example.com', password: 'hinge-lantern-47-otter' };
const NEXT_PASSWORD = 'another-long-correct-horse-9';

/** Someone who runs an organisation's knowledge base, and a colleague who is invited to it. */
describe('settings and people in a browser', () => {
  const service = useService();
  const complaints: string[] = [];
  let browser: Browser;
  let page: Page;
  let colleague: Page;
  let tenant: { id: string; name: string };
  let handbook: string;
  let board: string;

  const site = (path = '/'): string => new URL(path, service.process.url).href;
  const open = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
    context.setDefaultTimeout(15_000);
    const opened = await context.newPage();
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('console', (message) => {
      const isRefusal = /status of (401|403|404|409|412|422)/.test(message.text());
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    return opened;
  };
  const row = (on: Page, text: string) => on.getByRole('listitem').filter({ hasText: text });
  const names = async (on: Page, list: string): Promise<string[]> =>
    on.getByRole('list', { name: list, exact: true }).locator('b').allTextContents();

  beforeAll(async () => {
    browser = await launchChromium();
    const { tenants } = await service.admin.get<{ tenants: { id: string; name: string }[] }>('/auth/me');
    tenant = { ...tenants[0]!, name: 'Harbour office' };
    handbook = await service.admin.createDataset('Handbook', { acl: 'all_team_members' });
    board = await service.admin.createDataset('Board');
    page = await open();
    await page.goto(site('/people'));
    await page.getByLabel('E-mail').fill(service.process.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(service.process.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
  });
  afterAll(async () => browser?.close());

  it('says what an invitation does, and no name of an organisation that nobody has named', async () => {
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Invite somebody' }).waitFor();
    await dialog.getByText('this address alone can join').waitFor();
    expect(await dialog.innerText()).not.toContain('Default');
    await page.keyboard.press('Escape');
    await service.admin.patch(`/tenants/${tenant.id}`, { name: tenant.name });
    await page.reload();
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('heading', { name: `Invite to ${tenant.name}` }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('invites a colleague by a link that is shown once', async () => {
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill(COLLEAGUE.email);
    await page.getByLabel('viewer').check();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByRole('textbox', { name: 'Link of the invitation' }).inputValue();
    expect(link).toMatch(new RegExp(`^${site('/invitation')}#\\S{20,}$`));
    // Nothing but its button closes it.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have the link' }).click();
    await row(page, COLLEAGUE.email).waitFor();
    // The focus is back where the dialog was opened.
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Invite');
    expect(await page.content()).not.toContain(new URL(link).hash.slice(1));

    colleague = await open();
    await colleague.goto(link);
    await colleague.getByLabel('New password').fill(COLLEAGUE.password);
    await colleague.getByRole('button', { name: `Join ${tenant.name}` }).click();
    await colleague.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    // Whoever looks at the list sees that, without a new page.
    await page.getByRole('list', { name: 'Members' }).getByText(COLLEAGUE.email).waitFor();
    await page.getByText('Nobody is invited at this moment.').waitFor();
  });

  it('shows a viewer what is shared, and no more', async () => {
    await colleague.getByRole('link', { name: 'Handbook' }).first().waitFor();
    expect(await colleague.getByRole('link', { name: 'Board' }).count()).toBe(0);
    expect(await colleague.getByRole('link', { name: 'People' }).count()).toBe(0);
    await colleague.getByRole('link', { name: 'Handbook' }).first().click();
    // Who only reads came to ask.
    await colleague.waitForURL(/\/ask$/);
    await colleague.getByPlaceholder('Ask a question').fill('Which comet was named after Baltic Rotor?');
    await colleague.keyboard.press('Enter');
    await colleague.getByText(/can read this question, without your name/).waitFor();
    // The page that says why is for those who write.
    expect(await colleague.getByRole('link', { name: /^Why was/ }).count()).toBe(0);
    await colleague.getByRole('link', { name: 'Documents', exact: false }).first().waitFor();
    expect(await colleague.getByRole('link', { name: 'Settings' }).count()).toBe(0);
  });

  it('says to a viewer who types an address whose page it is', async () => {
    await colleague.goto(site('/people'));
    await colleague.getByText('This page is not for your role').waitFor();
    await colleague.getByText(`Your role in ${tenant.name} is viewer.`).waitFor();
    await colleague.goto(site(`/d/${handbook}/settings`));
    await colleague.getByText('This page is not for your role').waitFor();
    await colleague.getByText('You see it because it is for all members of the organisation.').waitFor();
    await colleague.goto(site(`/d/${board}/settings`));
    await colleague.getByText('Not here, or not for you.').waitFor();
    expect(await colleague.locator('main > .note > div > p').first().textContent()).not.toMatch(/[0-9a-f]{8}-/);
    expect(await colleague.getByRole('textbox').count()).toBe(0);
  });

  it('says who sees a dataset and why, and lets one person more see it', async () => {
    await page.goto(site(`/d/${board}/settings`));
    await row(page, 'owns it').waitFor();
    // Where there is one member alone, nobody can be chosen.
    await page.route('**/members?*', async (route) => {
      const list = (await (await route.fetch()).json()) as { items: readonly { email: string }[] };
      const items = list.items.filter(({ email }) => email === service.process.admin.email);
      await route.fulfill({ json: { ...list, items, total: 1 } });
    });
    await page.reload();
    await page.getByLabel('Some members').check();
    await page.getByRole('main').getByRole('link', { name: 'People' }).waitFor();
    await page.unrouteAll();
    await page.reload();
    await row(page, 'owns it').waitFor();
    expect(await names(page, 'Who sees it now, and why')).toHaveLength(1);
    await page.getByLabel('Some members').check();
    await page.getByLabel(COLLEAGUE.email).check();
    await page.getByRole('button', { name: 'Save' }).last().click();
    await row(page, 'was chosen').waitFor();
    await row(page, 'reads and asks').waitFor();
    expect(await names(page, 'Who sees it now, and why')).toHaveLength(2);
    await colleague.reload();
    await colleague.getByText('You see it because you were chosen.').waitFor();
  });

  it('changes a dataset, and loses nothing when someone else has changed it meanwhile', async () => {
    await service.admin.patch(`/datasets/${board}`, { description: 'Minutes' });
    await page.getByLabel('Instructions for answers').fill('Answer in two sentences.');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Somebody else has changed this meanwhile').waitFor();
    await page.getByRole('button', { name: 'Read the present settings' }).click();
    await page.locator('textarea', { hasText: 'Minutes' }).waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Board of 2026');
    await page.getByRole('button', { name: 'Save' }).first().click();
    const general = page.locator('form').filter({ has: page.getByRole('heading', { name: 'General' }) });
    await general.getByText('Saved').waitFor();
    await page.getByRole('heading', { name: 'Board of 2026' }).waitFor();
    expect(await service.admin.get(`/datasets/${board}`)).toMatchObject({
      name: 'Board of 2026',
      description: 'Minutes',
      instructions: 'Answer in two sentences.',
    });
  });

  it('makes an API key whose secret is shown once, and ends it', async () => {
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'What it is for' }).fill('Nightly import');
    await page.getByRole('button', { name: 'Nothing' }).click();
    await page.getByLabel('See datasets').check();
    await page.getByLabel('Only these').check();
    await page.getByRole('group', { name: 'Only these' }).getByLabel('Handbook').check();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const secret = await page.getByRole('textbox', { name: 'The key' }).inputValue();
    await page.getByRole('button', { name: 'I have the key' }).click();
    await row(page, 'Nightly import').waitFor();
    expect(await page.content()).not.toContain(secret);
    const program = service.anonymous.asApiKey(secret);
    const seen = await program.get<{ items: readonly { name: string }[] }>('/datasets/');
    expect(seen.items.map(({ name }) => name)).toEqual(['Handbook']);
    expect((await program.send('POST', '/retrieval/search', { query: 'a', dataset_ids: [handbook] })).status).toBe(403);
    await page.getByRole('button', { name: 'End Nightly import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('You have no key yet').waitFor();
    expect((await program.send('GET', '/datasets/')).status).toBe(401);
  });

  it('changes a role, and the colleague gets what belongs to it', async () => {
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Change the role of colleague' }).click();
    await page.getByLabel('editor').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'editor').waitFor();
    await colleague.goto(site(`/d/${handbook}/settings`));
    await colleague.getByText('Only the owner and administrators change who sees this dataset.').waitFor();
    expect(await colleague.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });

  it('offers to the owner of a dataset who may not see the members no choice of them, and says who has it', async () => {
    await colleague.getByRole('navigation').getByRole('button', { name: 'New dataset' }).click();
    await colleague.getByRole('dialog').getByLabel('Name').fill('Tides');
    await colleague.keyboard.press('Enter');
    await colleague.waitForURL(/\/documents$/);
    await colleague.goto(colleague.url().replace(/documents$/, 'settings'));
    const sights = colleague.getByRole('group', { name: 'Who sees it' });
    await sights.getByText(/^It can also be shown to some members only/).waitFor();
    expect(await sights.getByRole('radio').count()).toBe(2);
  });

  it('withdraws an invitation', async () => {
    await service.admin.post(`/tenants/${tenant.id}/members`, { email: 'guest@example.com', role: 'viewer' });
    await page.reload();
    await page.getByRole('button', { name: 'Withdraw the invitation of guest@example.com' }).click();
    await page.getByText('Nobody is invited at this moment.').waitFor();
    expect(await service.admin.get(`/tenants/${tenant.id}/invitations`)).toMatchObject({ total: 0 });
  });

  it('changes the own password, stays signed in, and ends the session elsewhere', async () => {
    await colleague.goto(site('/account'));
    await colleague.getByLabel('Current password').fill('not this one');
    await colleague.getByLabel('New password').fill(NEXT_PASSWORD);
    await colleague.getByRole('button', { name: 'Change the password' }).click();
    await colleague.getByText('This is not your current password.').waitFor();
    await colleague.getByLabel('Current password').fill(COLLEAGUE.password);
    await colleague.getByRole('button', { name: 'Change the password' }).click();
    await colleague.getByText('The password is changed').waitFor();
    await colleague.reload();
    await row(colleague, 'this one').waitFor();
    await row(colleague, 'in use now').getByText('this one').waitFor();
    const former = await service.anonymous.send('POST', '/auth/login', COLLEAGUE);
    expect(former.status).toBe(401);
  });

  it('asks before it ends all sessions, and says then that they have ended', async () => {
    await colleague.getByRole('button', { name: 'Sign out everywhere' }).click();
    const dialog = colleague.getByRole('dialog');
    await dialog.getByText('this one too').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row(colleague, 'in use now').waitFor();
    await colleague.getByRole('button', { name: 'Sign out everywhere' }).click();
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await colleague.getByText('You are signed out everywhere.').waitFor();
    expect(await colleague.getByRole('heading', { name: 'My account' }).count()).toBe(0);
    await colleague.getByLabel('E-mail').fill(COLLEAGUE.email);
    await colleague.getByLabel('Password', { exact: true }).fill(NEXT_PASSWORD);
    await colleague.getByRole('button', { name: 'Sign in' }).click();
    await colleague.getByRole('heading', { name: 'My account' }).waitFor();
  });

  it('removes a member, whose datasets go to someone else', async () => {
    const theirs = await service.anonymous.login(COLLEAGUE.email, NEXT_PASSWORD);
    const notes = await theirs.createDataset('Notes');
    await page.getByRole('button', { name: 'Remove colleague' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByLabel('Who gets them?').selectOption({ index: 1 });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row(page, COLLEAGUE.email).waitFor({ state: 'hidden' });
    expect(await service.admin.get(`/datasets/${notes}`)).toMatchObject({ name: 'Notes' });
    await colleague.goto(site());
    await colleague.getByText('You belong to no organisation yet').waitFor();
  });

  it('deletes a dataset after its name was typed', async () => {
    await page.goto(site(`/d/${board}/settings`));
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    const act = dialog.getByRole('button', { name: 'Delete' });
    expect(await act.isDisabled()).toBe(true);
    await dialog.getByLabel('to go on').fill('Board of 2026');
    await act.click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    expect((await service.admin.send('GET', `/datasets/${board}`)).status).toBe(404);
  });

  it('has broken nothing on the way', () => {
    expect(complaints).toEqual([]);
  });
});
