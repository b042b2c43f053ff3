import type { House } from './house.js';
import type { Visitor } from './visitor.js';

/** Something that a screen can open, or a state that it can be in. */
export interface Opening {
  readonly name: string;
  readonly kind: 'dialog' | 'menu' | 'state';
  readonly open: (visitor: Visitor, house: House) => Promise<void>;
  /** What is to be seen then. */
  readonly opened: string;
}

/** A screen of the console: what every proof of test/browser/console-*.spec.ts needs to know of it. */
export interface ConsoleScreen {
  readonly name: string;
  /** Its route in console/src as it stands there; none where it stands at every address. */
  readonly route: string | undefined;
  readonly address: (house: House) => string;
  /** Selector of what must be visible. */
  readonly shows: string;
  /** The least role that is shown it; others read that they are not. */
  /** Who is not signed in is at the door. */
  readonly role: 'nobody' | 'viewer' | 'editor' | 'admin';
  readonly opens?: readonly Opening[];
}

const query = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString();
const inDataset =
  (tab: string) =>
  ({ datasetId }: House): string =>
    `/d/${datasetId}/${tab}`;

const newDataset: Opening = {
  name: 'a new dataset',
  kind: 'dialog',
  open: async (visitor) => {
    await visitor.page
      .locator('main')
      .getByRole('button', { name: visitor.text('dataset.new') })
      .focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] input',
};

const selection: Opening = {
  name: 'a selection',
  kind: 'state',
  open: async ({ page }) => {
    await page.locator('[role=rowgroup] [role=row]').first().focus();
    await page.keyboard.press('Space');
  },
  opened: '[role=toolbar]',
};

const filters: Opening = {
  name: 'all filters',
  kind: 'state',
  open: async (visitor) => {
    await visitor.button('filter.more').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: 'main [role=group] [role=group] .chip',
};

const tags: Opening = {
  name: 'tags of a selection',
  kind: 'dialog',
  open: async (visitor, house) => {
    await selection.open(visitor, house);
    await visitor.button('document.tags').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] input',
};

const undo: Opening = {
  name: 'a deed that can be taken back',
  kind: 'state',
  open: async (visitor, house) => {
    await selection.open(visitor, house);
    await visitor.button('pick.delete').click();
  },
  opened: '.soon button',
};

const tray: Opening = {
  name: 'uploads',
  kind: 'state',
  open: async ({ page }) => {
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') };
    await page.locator('input[type=file]').first().setInputFiles(file);
  },
  opened: 'aside.tray header button',
};

const wrongPassword: Opening = {
  name: 'a password that does not fit',
  kind: 'state',
  open: async ({ page }) => {
    await page.locator('input[type=email]').fill('nobody@example.com');
    await page.locator('input[type=password]').fill('not this one');
    await page.locator('button[type=submit]').click();
  },
  opened: '.field-error',
};

const pressing = (name: string, key: string): Opening => ({
  name,
  kind: 'dialog',
  open: async (visitor) => {
    await visitor.button(key).focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] input',
});

const expired: Opening = {
  name: 'a session that has ended',
  kind: 'state',
  open: async (visitor, house) => {
    const refused = { status: 401, contentType: 'application/problem+json', body: '{}' };
    await visitor.page.route(/\/api\/v1\/(retrieval|auth\/refresh)/, (route) => route.fulfill(refused));
    await visitor.go(`/d/${house.datasetId}/search?q=another+question`);
  },
  opened: '[role=dialog] input[type=password]',
};

const revoking: Opening = {
  name: 'a link to revoke',
  kind: 'dialog',
  open: async (visitor) => {
    await visitor.button('share.revoke').focus();
    await visitor.page.keyboard.press('Enter');
  },
  opened: '[role=dialog] button',
};

/** Every screen, in the order of a first visit. A new one is a line more. */
export const SCREENS: readonly ConsoleScreen[] = [
  {
    name: 'sign-in',
    route: undefined,
    address: () => '/',
    shows: 'main input[type=password]',
    role: 'nobody',
    opens: [wrongPassword],
  },
  {
    name: 'invitation',
    route: '/invitation',
    address: ({ invitation }) => `/invitation#${invitation}`,
    shows: 'main input[type=password]',
    role: 'nobody',
  },
  { name: 'start', route: '/', address: () => '/', shows: 'main textarea', role: 'viewer', opens: [newDataset] },
  {
    name: 'ask everything',
    route: '/ask',
    address: ({ question }) => `/ask?${query({ q: question })}`,
    shows: 'main .acts',
    role: 'viewer',
  },
  {
    name: 'ask',
    route: '/d/:id/ask',
    address: (house) => `${inDataset('ask')(house)}?${query({ q: house.question })}`,
    shows: 'main .acts',
    role: 'viewer',
  },
  {
    name: 'documents',
    route: '/d/:id/documents',
    address: inDataset('documents'),
    shows: '[role=rowgroup] [role=gridcell]',
    role: 'viewer',
    opens: [filters, selection, tags, undo, tray],
  },
  {
    name: 'documents of none',
    route: '/d/:id/documents',
    address: ({ emptyId }) => `/d/${emptyId}/documents`,
    shows: 'main .empty',
    role: 'editor',
  },
  {
    name: 'document',
    route: '/d/:id/documents/:document',
    address: ({ datasetId, hostile }) => `/d/${datasetId}/documents/${hostile[0]!.id}?from=0&to=20`,
    shows: 'main mark',
    role: 'viewer',
  },
  {
    name: 'document that is a PDF',
    route: '/d/:id/documents/:document',
    address: ({ datasetId, pdfId }) => `/d/${datasetId}/documents/${pdfId}?from=0&to=30&page=1`,
    shows: 'main canvas',
    role: 'viewer',
  },
  {
    name: 'document that failed',
    route: '/d/:id/documents/:document',
    address: ({ datasetId, failedId }) => `/d/${datasetId}/documents/${failedId}`,
    shows: 'main aside',
    role: 'viewer',
  },
  {
    name: 'search',
    route: '/d/:id/search',
    address: (house) => `${inDataset('search')(house)}?${query({ q: house.words })}`,
    shows: 'main ol mark',
    role: 'editor',
    opens: [expired],
  },
  {
    name: 'why',
    route: '/d/:id/why',
    address: (house) => `${inDataset('why')(house)}?${query({ q: house.words, text: house.missing })}`,
    shows: 'main ol',
    role: 'editor',
  },
  {
    name: 'quality',
    route: '/d/:id/quality',
    address: inDataset('quality'),
    shows: 'main h2',
    role: 'editor',
  },
  {
    name: 'shared answer',
    route: '/answers/:id',
    address: ({ sharedId }) => `/answers/${sharedId}`,
    shows: 'main .acts',
    role: 'viewer',
    opens: [revoking],
  },
  {
    name: 'conversations',
    route: '/conversations',
    address: () => '/conversations',
    shows: 'main li, main .empty',
    role: 'viewer',
  },
  { name: 'account', route: '/account', address: () => '/account', shows: 'main li', role: 'viewer' },
];

/** Written after the last run of the tests: they are to go through these as soon as that was seen to pass. */
export const UNTRIED: readonly ConsoleScreen[] = [
  {
    name: 'people',
    route: '/people',
    address: () => '/people',
    shows: 'main h2',
    role: 'admin',
    opens: [pressing('an invitation to write', 'people.invite')],
  },
  {
    name: 'keys',
    route: '/keys',
    address: () => '/keys',
    shows: 'main h2',
    role: 'viewer',
    opens: [pressing('a new key', 'keys.new')],
  },
  {
    name: 'settings',
    route: '/d/:id/settings',
    address: inDataset('settings'),
    shows: 'main input',
    role: 'editor',
  },
];
