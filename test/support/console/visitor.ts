import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

export type Texts = Readonly<Record<string, string>>;
type Language = 'en' | 'de';

export function textsOf(language: Language): Texts {
  const file = new URL(`../../../console/src/texts/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Texts;
}

/** Begin and end of a text of the catalogue, where every text is marked. */
export const MARKS = ['⟦', '⟧'] as const;

export interface VisitorOptions {
  readonly language?: Language;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** Every text of the catalogue is between `MARKS`. */
  readonly isMarked?: boolean;
}

interface Credential {
  readonly email: string;
  readonly password: string;
}

const EYES = fileURLToPath(new URL('eyes.mjs', import.meta.url));
const HEIGHT = 900;
const WIDE = 1280;
/** Answers that a page asks for on purpose, as the browser notes them. */
const EXPECTED = /status of (400|401|403|404|409|422|429|500)/;

/** Someone at the console in a browser, with a witness of whatever must never happen there. */
export class Visitor {
  /** Scripts that ran, policies that were broken, dialogs, requests to elsewhere, faults of pages. */
  readonly witnessed: string[] = [];
  private readonly texts: Texts;

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly site: URL,
    private readonly credential: Credential,
    options: VisitorOptions,
  ) {
    const texts = textsOf(options.language ?? 'en');
    this.texts = options.isMarked === true ? markedTexts(texts) : texts;
  }

  static async arrive(
    browser: Browser,
    serviceUrl: string,
    credential: Credential,
    options: VisitorOptions = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? WIDE, height: HEIGHT },
      locale: options.language === 'de' ? 'de-DE' : 'en-GB',
      colorScheme: options.theme ?? 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const visitor = new Visitor(page, context, new URL('/', serviceUrl), credential, options);
    await visitor.watch();
    if (options.isMarked === true) await visitor.serveMarked(options.language ?? 'en');
    return visitor;
  }

  private async watch(): Promise<void> {
    const note = (what: string): void => void this.witnessed.push(what);
    await this.context.addInitScript({ path: EYES });
    await this.context.exposeBinding('ranHere', (_, from: unknown) => note(`ran: ${String(from)}`));
    await this.context.exposeBinding('brokeHere', (_, what: string) => note(`policy: ${what}`));
    await this.context.addInitScript(
      `document.addEventListener('securitypolicyviolation', (event) => brokeHere(event.violatedDirective + ' ' + event.blockedURI))`,
    );
    this.page.on('pageerror', (error) => note(`fault: ${error.message}`));
    this.page.on('dialog', (dialog) => {
      // That of a page which is left while files are sent is the browser's own.
      if (dialog.type() !== 'beforeunload') note(`dialog: ${dialog.type()}`);
      void dialog.accept();
    });
    this.page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) note(`console: ${message.text()}`);
    });
    this.context.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (host !== this.site.host && protocol !== 'blob:' && protocol !== 'data:') note(`request: ${request.url()}`);
    });
  }

  /** The catalogue of the language with every text marked, in place of the built one. */
  private async serveMarked(language: Language): Promise<void> {
    const texts = Object.entries(markedTexts(textsOf(language)));
    const messages = Object.fromEntries(texts.map(([key, text]) => [key, compileMessage(text)]));
    await this.context.route(new RegExp(`/console/${language}-[\\w-]+\\.js$`), (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(messages)}` }),
    );
  }

  /** The text of a key as this visitor reads it. */
  text(key: string): string {
    const text = this.texts[key];
    if (text === undefined) throw new Error(`No text ${key}.`);
    return text;
  }

  button(key: string): Locator {
    return this.page.getByRole('button', { name: this.text(key), exact: true }).first();
  }

  /** Opens an address as if it had been typed, and signs in where the page asks for that. */
  async open(address: string): Promise<void> {
    await this.page.goto(new URL(address, this.site).href);
    // Passwords are asked for on the page of the own account too.
    const email = this.page.locator('main input[type=email]');
    await this.page.locator('.rail').or(email).first().waitFor({ state: 'attached' });
    if (!(await email.isVisible())) return;
    await email.fill(this.credential.email);
    await this.page.locator('input[type=password]').fill(this.credential.password);
    await this.page.locator('button[type=submit]').click();
    await this.page.locator('.rail').waitFor({ state: 'attached' });
  }

  /** Goes to an address within the console, as a link of it does. */
  async go(address: string): Promise<void> {
    if ((await this.page.locator('.rail').count()) === 0) await this.open(address);
    else await this.page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
  }

  /** Opens an address as someone who is not signed in. */
  async openOutside(address: string): Promise<void> {
    await this.context.clearCookies();
    // Another address first: one that differs behind `#` alone would not load the page again.
    await this.page.goto('about:blank');
    await this.page.goto(new URL(address, this.site).href);
  }

  /** A picture of the whole page, the width of the window before the end of its name. */
  async picture(file: string): Promise<void> {
    const width = this.page.viewportSize()?.width ?? 0;
    await this.page.screenshot({ fullPage: true, path: file.replace(/\.png$/, `-${width}.png`).replaceAll(' ', '-') });
  }

  /** Back to the start, as if nothing had been opened, refused or left behind. */
  async reset(): Promise<void> {
    await this.page.unrouteAll();
    // A page that is left carries out what waits.
    const undo = this.page.locator('.deferred button').first();
    while (await undo.isVisible()) await undo.click();
    // A page of the same origin that is not the console, which would keep what it forgets.
    await this.page.goto(new URL('/api/v1/auth/methods', this.site).href);
    await this.page.evaluate(
      `for (const name of Object.keys(localStorage)) if (name.startsWith('uploads ')) localStorage.removeItem(name)`,
    );
    await this.open('/');
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

function markedTexts(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, `${MARKS[0]}${text}${MARKS[1]}`]));
}
