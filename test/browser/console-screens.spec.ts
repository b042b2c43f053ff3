import { join } from 'node:path';
import { until } from '#testing/until';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faintFieldsOf, headingFaults, overflowOf, violationsOf } from '../support/console/accessibility.js';
import { ATTRIBUTE_BREAK, CORPUS } from '../support/console/corpus.js';
import { furnishHouse } from '../support/console/furnish-house.js';
import type { House } from '../support/console/house.js';
import { goRound, staysWithin } from '../support/console/keyboard.js';
import { foreignTexts, Heard } from '../support/console/languages.js';
import { SENT, tray, type Opening } from '../support/console/openings.js';
import { plantHouse } from '../support/console/plant-house.js';
import { SCREENS, type ConsoleScreen } from '../support/console/screens.js';
import { staffSettings } from '../support/console/staff.js';
import { Visitor, type VisitorOptions } from '../support/console/visitor.js';
import { launchChromium } from '../support/chromium.js';
import { findFreePort } from '../support/oidc-issuer.js';
import { useService } from '../support/service-process.js';

const PHONE = 360;
const WIDE = 1280;
const WIDTHS = [PHONE, 768, WIDE, 2560];
const THEMES = ['light', 'dark'] as const;
const REFUSAL = {
  type: '/api/v1/errors#validation.failed',
  title: 'Refused',
  status: 422,
  detail: 'A value was refused.',
  code: 'validation.failed',
  request_id: '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10',
  errors: [{ pointer: '/name', code: 'too_long', detail: 'It is too long.' }],
};

/** A folder for pictures of all that axe-core looks at, of a house as people have it. */
const PICTURES = process.env['CONSOLE_PICTURES'];
const LANGUAGE = process.env['CONSOLE_PICTURES_LANGUAGE'] === 'de' ? 'de' : 'en';
const issuerPort = await findFreePort();
const INSIDE = SCREENS.filter(({ role }) => role !== 'nobody');

/** All screens of the console, one by one, in a real browser on a real service whose names and texts are hostile. */
describe('every screen of the console', () => {
  const service = useService({ settings: staffSettings(issuerPort) });
  const visitors: Visitor[] = [];
  let browser: Browser;
  let house: House;
  let reader: Visitor | undefined;
  let walking: Visitor | undefined;
  let refused: Visitor | undefined;

  beforeAll(async () => {
    [house, browser] = await Promise.all([
      PICTURES === undefined ? plantHouse(service, issuerPort) : furnishHouse(service, issuerPort),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const arrive = async (options: VisitorOptions = {}, email = service.process.admin.email): Promise<Visitor> => {
    const isAdmin = email === service.process.admin.email;
    const password = isAdmin ? service.process.admin.password : house.readerPassword;
    const visitor = await Visitor.arrive(
      browser,
      service.process.url,
      { email, password },
      { language: LANGUAGE, ...options },
    );
    visitors.push(visitor);
    return visitor;
  };
  const visit = async (visitor: Visitor, screen: ConsoleScreen): Promise<void> => {
    await (screen.role === 'nobody' ? visitor.openOutside(screen.address(house)) : visitor.go(screen.address(house)));
    await visitor.page.locator(screen.shows).first().waitFor();
    await visitor.page.locator('.skeleton').first().waitFor({ state: 'hidden' });
  };
  const openIt = async (visitor: Visitor, screen: ConsoleScreen, { open, opened }: Opening): Promise<void> => {
    await visit(visitor, screen);
    await open(visitor, house);
    await visitor.page.locator(opened).first().waitFor();
  };
  const walker = async (): Promise<Visitor> => (walking ??= await arrive());
  const tell = (where: string, faults: readonly string[]): readonly string[] =>
    faults.map((fault) => `${where}: ${fault}`);

  const findInBothThemes = async (visitor: Visitor, where: string): Promise<readonly string[]> => {
    const faults: string[] = [];
    for (const colorScheme of THEMES) {
      await visitor.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const found = [...(await violationsOf(visitor.page)), ...(await faintFieldsOf(visitor.page))];
      faults.push(...tell(`${where} ${colorScheme}`, found));
      if (PICTURES !== undefined) await visitor.picture(join(PICTURES, `${where}-${colorScheme}.png`));
    }
    return faults;
  };

  // First: what the other tests ask and make comes before it in the lists.
  it('shows what people call things, and write, as it is', async () => {
    const visitor = await walker();
    const { page } = visitor;
    const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
    expect(house.places.length).toBeGreaterThan(10);
    for (const { name, address, press, texts } of house.places) {
      await visitor.open(address);
      if (press !== undefined) await page.locator(press).first().click();
      const lacking = async (): Promise<readonly string[]> => {
        const shown = oneLine(await page.evaluate<string>('eyes.readable()'));
        return texts.filter((text) => !shown.includes(oneLine(text)));
      };
      await expect.poll(lacking, { message: name, timeout: 15_000 }).toEqual([]);
    }
  });

  describe.each([WIDE, PHONE])('at %i px', (width) => {
    let visitor: Visitor;
    beforeAll(async () => {
      visitor = await arrive({ width });
    });
    afterAll(async () => {
      await visitor?.leave();
    });

    it.each(SCREENS)('axe-core finds nothing in either theme: $name', async (screen) => {
      await visit(visitor, screen);
      const faults = [...(await findInBothThemes(visitor, screen.name))];
      for (const opening of screen.opens ?? []) {
        await openIt(visitor, screen, opening);
        const where = `${screen.name} with ${opening.name}`;
        faults.push(...(await findInBothThemes(visitor, where)), ...tell(where, await overflowOf(visitor.page)));
        await visitor.reset();
      }
      expect(faults).toEqual([]);
    });
  });

  it.each(INSIDE)('an error says what, where and what to quote, on a phone in either theme: $name', async (screen) => {
    refused ??= await arrive({ width: PHONE });
    const isOfSession = /\/api\/v1\/auth\/(?!api-keys|sessions|invitations)/;
    await refused.page.route(
      (url) => url.pathname.startsWith('/api/') && !isOfSession.test(url.pathname),
      (route) => route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(REFUSAL) }),
    );
    await refused.open(screen.address(house));
    const note = refused.page.locator('.note', { hasText: REFUSAL.code }).first();
    await note.waitFor();
    const said = await note.innerText();
    const [field] = REFUSAL.errors;
    for (const part of [REFUSAL.detail, REFUSAL.request_id, field!.pointer, field!.detail])
      expect(said).toContain(part);
    const faults = [
      ...(await findInBothThemes(refused, `${screen.name} with an error`)),
      ...(await overflowOf(refused.page)),
    ];
    await refused.reset();
    expect(faults).toEqual([]);
  });

  it.each(SCREENS)('can be used by the keyboard alone: $name', async (screen) => {
    const visitor = await walker();
    const { page } = visitor;
    await visit(visitor, screen);
    const { stops, faults } = await goRound(page);
    expect(faults).toEqual([]);
    expect(await headingFaults(page)).toEqual([]);
    if (screen.role !== 'nobody') {
      expect(stops[0]).toContain(visitor.text('frame.skip'));
      await page.getByText(visitor.text('frame.skip')).focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate(`eyes.isFocusWithin('#main')`)).toBe(true);
    }
    for (const opening of (screen.opens ?? []).filter(({ kind }) => kind !== 'state')) {
      await openIt(visitor, screen, opening);
      if (opening.kind === 'dialog') expect(await staysWithin(page, '[role=dialog]')).toBe(true);
      await page.keyboard.press('Escape');
      await page.locator(opening.opened).first().waitFor({ state: 'hidden' });
      // The focus goes back in the next frame.
      await expect.poll(() => page.evaluate(`eyes.isFocusWithin('button, a')`)).toBe(true);
    }
    if (screen.opens !== undefined) await visitor.reset();
  });

  it('each screen has a title of its own', async () => {
    const visitor = await walker();
    const titles = new Map<string, Set<string>>();
    for (const screen of SCREENS) {
      await visit(visitor, screen);
      const title = await visitor.page.title();
      titles.set(title, (titles.get(title) ?? new Set()).add(screen.route ?? screen.name));
    }
    expect([...titles].filter(([, routes]) => routes.size > 1)).toEqual([]);
  });

  it('the menu of a phone takes the focus, and gives it back', async () => {
    const visitor = await arrive({ width: PHONE });
    const { page } = visitor;
    await visit(visitor, INSIDE[0]!);
    await visitor.button('frame.menu').focus();
    await page.keyboard.press('Enter');
    await page.locator('.rail.open').waitFor();
    expect(await page.evaluate(`eyes.isFocusWithin('.rail')`)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.rail.open').waitFor({ state: 'detached' });
    expect(await page.evaluate(`eyes.isFocusWithin('[aria-expanded=false]')`)).toBe(true);
    await visitor.button('frame.menu').click();
    await page.locator('.rail.open').getByRole('button', { name: 'Close' }).click();
    await page.locator('.rail.open').waitFor({ state: 'detached' });
    await visitor.leave();
  });

  it.each(WIDTHS)('nothing reaches out of the page at %i px, in German, where words are longer', async (width) => {
    const visitor = await arrive({ width, language: 'de' });
    const faults: string[] = [];
    for (const screen of SCREENS) {
      await visit(visitor, screen);
      faults.push(...tell(screen.name, await overflowOf(visitor.page)));
    }
    await visitor.leave();
    expect(faults).toEqual([]);
  });

  it.each([...WIDTHS, 1000, 1440])(
    'leaves room for the uploads, which lie over no end of a page, at %i px',
    async (width) => {
      const visitor = await arrive({ width });
      const { page } = visitor;
      await visit(
        visitor,
        SCREENS.find(({ opens }) => opens?.includes(tray) === true)!,
      );
      await page.route('**/documents/upload', (route) =>
        route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(REFUSAL) }),
      );
      await tray.open(visitor, house);
      await page.locator('.tray .bar .failed').waitFor();
      const larger = visitor.button('tray.large');
      if (await larger.isVisible()) await larger.click();
      await page.locator('.tray li').waitFor();
      const faults: string[] = [];
      for (const screen of INSIDE.filter(({ route }) => route !== '/invitation')) {
        await visit(visitor, screen);
        faults.push(...tell(screen.name, await page.evaluate<string[]>(`eyes.neverAbove('.tray')`)));
        faults.push(...tell(screen.name, await page.evaluate<string[]>(`eyes.movesPage('.rail')`)));
      }
      await visitor.leave();
      expect(faults).toEqual([]);
    },
  );

  it.each(WIDTHS)('a short answer fills the window and leaves nothing to scroll at %i px', async (width) => {
    const visitor = await arrive({ width });
    for (const screen of SCREENS.filter(({ name }) => name === 'ask' || name === 'shared answer')) {
      await visit(visitor, screen);
      const scrolled = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
      expect([screen.name, await visitor.page.evaluate(scrolled)]).toEqual([screen.name, 0]);
    }
    await visitor.leave();
  });

  it('writes numbers as the language does', async () => {
    const visitor = await arrive({ language: 'de' });
    await visit(
      visitor,
      SCREENS.find(({ name }) => name === 'search')!,
    );
    const scores = await visitor.page.locator('main li dd').allInnerTexts();
    expect(scores.length).toBeGreaterThan(0);
    expect(scores.filter((score) => score.includes('.'))).toEqual([]);
    await visitor.leave();
  });

  it('every text is of the catalogue, or said by the service', async () => {
    const visitor = await arrive({ language: 'de', isMarked: true });
    const heard = new Heard();
    heard.listen(visitor.page);
    heard.add(new URL(service.process.url).host);
    heard.add('Englisch');
    heard.add(SENT);
    const faults: string[] = [];
    const look = async (where: string): Promise<void> => {
      faults.push(...tell(where, await foreignTexts(visitor.page, heard)));
    };
    for (const screen of SCREENS) {
      for (const [, typed] of new URL(screen.address(house), service.process.url).searchParams) heard.add(typed);
      await visit(visitor, screen);
      await look(screen.name);
      for (const opening of screen.opens ?? []) {
        await openIt(visitor, screen, opening);
        await look(`${screen.name} with ${opening.name}`);
        await visitor.reset();
      }
    }
    await visitor.leave();
    expect(faults).toEqual([]);
  });

  it('shows what is hostile as it is, wherever it is', async () => {
    const visitor = await walker();
    const { page } = visitor;
    const shows = async (where: string, ...texts: readonly string[]): Promise<void> => {
      const shown = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
      for (const text of texts) expect(shown, where).toContain(text.replaceAll(/\s+/g, ' '));
    };
    await visitor.open('/');
    for (const { id, hostile } of house.hostile) {
      await page.locator('h1').first().waitFor();
      await visitor.go(`/d/${house.datasetId}/documents/${id}?from=0&to=30&page=1`);
      await page.getByText(hostile.text.slice(0, 20)).first().waitFor();
      await shows('document', hostile.text);
      if (hostile.text.startsWith('place')) {
        await shows(
          'document',
          `tag ${hostile.name}`,
          `key ${hostile.name}`,
          `value ${hostile.text}`,
          `file ${hostile.name}`,
        );
      }
      for (const tab of ['search', 'ask', 'documents', 'why']) {
        await visitor.go(
          `/d/${house.datasetId}/${tab}?q=${encodeURIComponent(hostile.text)}&text=${encodeURIComponent(hostile.text)}`,
        );
        await page.locator('main').waitFor();
      }
      await visitor.go(`/d/${house.datasetId}/search?q=${encodeURIComponent(`${hostile.text} `)}`);
      await page.locator('main ol li').first().waitFor();
    }
    await visitor.go(`/d/${house.datasetId}/documents`);
    await page.locator('[role=gridcell]').first().waitFor();
    await shows(
      'documents',
      house.datasetName,
      ...house.hostile.slice(0, -2).map(({ hostile: { name } }) => `file ${name}`),
    );
    await visitor.go('/');
    await page.locator('main h3').first().waitFor();
    await shows('start', house.datasetName, `Description ${ATTRIBUTE_BREAK}`, `Tenant ${ATTRIBUTE_BREAK}`);
  });

  it.each(INSIDE)('who only reads gets a page or a reason: $name', async (screen) => {
    reader ??= await arrive({}, house.reader.email);
    await reader.go(screen.address(house));
    const selector = screen.role === 'viewer' ? screen.shows : `${screen.shows}, main .note, main .empty`;
    await reader.page.locator(selector).first().waitFor();
    expect(await violationsOf(reader.page)).toEqual([]);
  });

  it('has run no script, broken no policy and asked no one else, and would have been seen if it had', async () => {
    // The browser's own line for the mended file that an opening has refused on purpose.
    const isRefusedFile = (what: string): boolean => /^console: Failed to load resource: .* status of 413 /.test(what);
    const all = visitors.flatMap(({ witnessed }) => witnessed);
    expect(all.filter((what) => !isRefusedFile(what))).toEqual([]);
    const visitor = await walker();
    const { page, witnessed } = visitor;
    await visitor.open('/');
    await page.locator('main h3').first().waitFor();
    expect(await page.evaluate('eyes.protocols()')).toEqual(['http:']);
    await page.evaluate(`eyes.putHtml(${JSON.stringify(CORPUS[0]!.text)})`);
    const isSeen = (): boolean => witnessed.some((what) => what.startsWith('policy: script-src'));
    expect(await until(isSeen, { what: 'the witness speaks' })).toBe(true);
  });
});
