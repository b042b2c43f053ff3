import type { Locator } from 'playwright-core';
import type { House } from './house.js';
import type { Visitor } from './visitor.js';

/** Something that a screen can open, or a state that it can be in. */
export interface Opening {
  readonly name: string;
  readonly kind: 'dialog' | 'menu' | 'state';
  readonly open: (visitor: Visitor, house: House) => Promise<void>;
  /** What is to be seen then. */
  readonly opened: string;
  /** The file of console/src that has the dialog: test/architecture/console-screens.spec.ts asks for each. */
  readonly writtenIn?: string;
}

interface Pressed {
  readonly name: string;
  readonly writtenIn: string;
  /** What opens it: the key of a button's text, or a selector. */
  readonly by: string | { readonly selector: string };
  readonly opened?: string;
}

const buttonOf = (visitor: Visitor, by: Pressed['by']): Locator =>
  typeof by === 'string' ? visitor.button(by) : visitor.page.locator(by.selector).first();

/** A dialog that a button opens, pressed by the keyboard. */
const dialog = ({ name, writtenIn, by, opened = '[role=dialog] input' }: Pressed): Opening => ({
  name,
  kind: 'dialog',
  writtenIn,
  open: async (visitor) => {
    await buttonOf(visitor, by).focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened,
});

export const newDataset: Opening = {
  name: 'a new dataset',
  kind: 'dialog',
  writtenIn: 'frame/new-dataset.tsx',
  open: async (visitor) => {
    await visitor.page
      .locator('main')
      .getByRole('button', { name: visitor.text('dataset.new') })
      .focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] input',
};

export const selection: Opening = {
  name: 'a selection',
  kind: 'state',
  open: async ({ page }) => {
    await page.locator('[role=rowgroup] [role=row]').first().focus();
    await page.keyboard.press('Space');
  },
  opened: '[role=toolbar]',
};

export const filters: Opening = {
  name: 'all filters',
  kind: 'state',
  open: async (visitor) => {
    await visitor.button('filter.more').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: 'main [role=group] [role=group] .chip',
};

/** Of a search. */
export const searchFilters: Opening = {
  ...filters,
  name: 'more filters',
  opened: 'main form input[type=date]',
};

export const tags: Opening = {
  name: 'tags of a selection',
  kind: 'dialog',
  writtenIn: 'screens/document-sheets.tsx',
  open: async (visitor, house) => {
    await selection.open(visitor, house);
    await visitor.button('document.tags').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] input',
};

export const undo: Opening = {
  name: 'an action that can be taken back',
  kind: 'state',
  open: async (visitor, house) => {
    await selection.open(visitor, house);
    await visitor.button('pick.delete').click();
  },
  opened: '.deferred button',
};

/** The name of a file that is sent. */
export const SENT = 'note.txt';

export const tray: Opening = {
  name: 'uploads',
  kind: 'state',
  open: async ({ page }) => {
    // Never the same: what is there already is not sent.
    const file = { name: SENT, mimeType: 'text/plain', buffer: Buffer.from(`A note of ${Date.now()}.`) };
    await page.locator('input[type=file]').first().setInputFiles(file);
  },
  opened: 'aside.tray header button',
};

/** Of the dialog of one who signs out while the service keeps a file waiting. */
export const losingFiles: Opening = {
  name: 'files that signing out would lose',
  kind: 'dialog',
  writtenIn: 'frame/sign-out.tsx',
  open: async (visitor, house) => {
    await visitor.page.route('**/documents/upload', () => undefined);
    await tray.open(visitor, house);
    await visitor.page.locator(tray.opened).first().waitFor();
    const menu = visitor.button('frame.menu');
    if (await menu.isVisible()) await menu.click();
    await visitor.button('frame.signOut').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] button',
};

export const wrongPassword: Opening = {
  name: 'a password that does not fit',
  kind: 'state',
  open: async ({ page }) => {
    await page.locator('input[type=email]').fill('nobody@example.com');
    await page.locator('input[type=password]').fill('not this one');
    await page.locator('button[type=submit]').click();
  },
  opened: '.field-error',
};

export const expired: Opening = {
  name: 'a session that has ended',
  kind: 'state',
  writtenIn: 'screens/sign-in.tsx',
  open: async (visitor, house) => {
    const refused = { status: 401, contentType: 'application/problem+json', body: '{}' };
    await visitor.page.route(/\/api\/v1\/(retrieval|auth\/refresh)/, (route) => route.fulfill(refused));
    await visitor.go(`/d/${house.datasetId}/search?q=another+question`);
  },
  opened: '[role=dialog] input[type=password]',
};

export const remark: Opening = {
  name: 'a remark on an answer',
  kind: 'state',
  open: async (visitor) => visitor.button('feedback.poor').click(),
  opened: 'main form textarea',
};

export const sharing: Opening = {
  name: 'a link to make',
  kind: 'state',
  open: async (visitor) => {
    await visitor.button('share.share').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '.actions section button',
};

/** Refused, since one that the service takes would leave no failed document for the tests that come behind. */
export const mended: Opening = {
  name: 'a mended file that is refused',
  kind: 'state',
  open: async ({ page }) => {
    const problem = { code: 'documents.file_too_large', detail: 'The file is too large.' };
    await page.route('**/documents/upload', (route) =>
      route.fulfill({ status: 413, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    const file = { name: 'mended.md', mimeType: 'text/markdown', buffer: Buffer.from('# Mended') };
    await page.locator('header input[type=file]').setInputFiles(file);
  },
  opened: tray.opened,
};

export const sideBySide: Opening = {
  name: 'two settings side by side',
  kind: 'state',
  open: async (visitor) => {
    await visitor.button('search.compare').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: 'main section[aria-label] + section[aria-label]',
};

export const found: Opening = {
  name: 'words found in the text',
  kind: 'state',
  open: async (visitor) => visitor.page.getByLabel(visitor.text('find.label')).fill('e'),
  opened: '[data-hit]',
};

export const revoking = dialog({
  name: 'a link to revoke',
  writtenIn: 'screens/shared-answer.tsx',
  by: 'share.revoke',
  opened: '[role=dialog] button',
});

export const ownShare = dialog({
  name: 'a link of my own to revoke',
  writtenIn: 'screens/own-shares.tsx',
  by: { selector: 'main li:has(a[href*="/answers/"]) button.danger' },
  opened: '[role=dialog] button',
});

export const code = dialog({
  name: 'the same by API',
  writtenIn: 'screens/api-sheet.tsx',
  by: 'search.api',
  opened: '[role=dialog] pre',
});

export const keptCase = dialog({
  name: 'a case to keep',
  writtenIn: 'screens/keep-case.tsx',
  by: 'case.keep',
  opened: '[role=dialog] form',
});

/** Damaged files are offered no other attempt, so here a failure is one that may pass. */
export const adviceAction: Opening = {
  name: 'what an advice will do',
  kind: 'dialog',
  writtenIn: 'screens/quality-action-button.tsx',
  open: async (visitor, house) => {
    await visitor.page.route('**/documents/facets?*', async (route) => {
      const answer = await route.fetch();
      const facets = (await answer.json()) as object;
      await route.fulfill({ json: { ...facets, error_code: [{ value: 'PARSER_TIMEOUT', count: 2 }] } });
    });
    // What was counted before is not asked for again at once, unless the page is loaded again.
    await visitor.open(`/d/${house.datasetId}/quality`);
    await visitor.button('trouble.retryAll').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] button',
};

export const evaluating = dialog({
  name: 'an evaluation to start',
  writtenIn: 'screens/start-evaluation.tsx',
  by: { selector: 'main section li:not(:has(a)) > button[aria-label] ~ button[aria-label]' },
  opened: '[role=dialog] input[type=checkbox]',
});

export const caseSet = dialog({
  name: 'the cases of a set',
  writtenIn: 'screens/case-set.tsx',
  by: { selector: 'main section li:not(:has(a)) > button[aria-label]' },
  opened: '[role=dialog] li',
});

export const rename = dialog({
  name: 'a name to change',
  writtenIn: 'screens/conversations.tsx',
  by: { selector: 'main li button' },
});

export const invite = dialog({ name: 'an invitation to write', writtenIn: 'screens/invite.tsx', by: 'people.invite' });

export const link: Opening = {
  name: 'the link of an invitation',
  kind: 'state',
  writtenIn: 'screens/invite.tsx',
  open: async (visitor) => {
    await visitor.button('people.invite').click();
    await visitor.page.locator('[role=dialog] input[type=email]').fill('newcomer@example.com');
    await visitor.button('people.makeLink').click();
  },
  opened: '[role=dialog] input[readonly]',
};

export const role = dialog({
  name: 'a role to change',
  writtenIn: 'screens/member-sheets.tsx',
  by: { selector: 'main li button:not(.danger)' },
});

export const removal = dialog({
  name: 'a member to remove',
  writtenIn: 'screens/member-sheets.tsx',
  by: { selector: 'main li button.danger' },
  opened: '[role=dialog] button',
});

export const newKey = dialog({ name: 'a new key', writtenIn: 'screens/new-key.tsx', by: 'keys.new' });

export const madeKey: Opening = {
  name: 'a key just made',
  kind: 'state',
  writtenIn: 'screens/new-key.tsx',
  open: async (visitor) => {
    await visitor.button('keys.new').click();
    await visitor.page.getByRole('dialog').getByRole('textbox').first().fill('A program of the office');
    await visitor.button('keys.make').click();
  },
  opened: '[role=dialog] input[readonly]',
};

export const endedKey = dialog({
  name: 'a key to end',
  writtenIn: 'screens/keys.tsx',
  by: { selector: 'main li button' },
  opened: '[role=dialog] button',
});

export const chosenMembers: Opening = {
  name: 'members to choose',
  kind: 'state',
  open: async ({ page }) => page.locator('main input[name=sight]').nth(2).check(),
  opened: 'main fieldset input[type=checkbox]',
};

export const deletion = dialog({
  name: 'a dataset to delete',
  writtenIn: 'screens/settings.tsx',
  by: 'settings.deleteConfirm',
});
