import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { Visitor } from '../support/console/visitor.js';
import { ingest } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const PIERS = 40;
const QUESTION = 'Who keeps the lamp of pier 7?';
const UNANSWERED = 'Which discount did we agree with Baltic Rotor for 2027?';

/** What a person does is followed by something that they see, wherever on a long page they are. */
describe('what is said and what opens, in sight', () => {
  const service = useService();
  let browser: Browser;
  let me: Visitor;
  let page: Page;
  let datasetId: string;

  beforeAll(async () => {
    datasetId = await service.admin.createDataset('Piers');
    for (let number = 1; number <= PIERS; number += 1) {
      const content = `Pier ${number} has a lamp. The lamp of pier ${number} is kept by keeper ${number}, who oils it every day.\n\nIts ladder has ${number} rungs.\n\nIts rope is ${number} metres long.\n\nIts bell rings at ${number} o'clock.`;
      await ingest(service.admin, datasetId, { name: `pier-${String(number).padStart(2, '0')}.txt`, content });
    }
    browser = await launchChromium();
    me = await Visitor.arrive(browser, service.process.url, service.process.admin);
    ({ page } = me);
  });
  afterAll(() => browser?.close());

  const turn = (question: string): Locator =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name: question, exact: true }) });
  const ask = async (question: string): Promise<Locator> => {
    await page.getByRole('textbox', { name: /Ask a (question|follow-up)/ }).fill(question);
    await page.keyboard.press('Enter');
    const asked = turn(question).last();
    await asked.getByRole('button', { name: 'Ask again', exact: true }).waitFor({ timeout: 60_000 });
    return asked;
  };
  /** Whether it is in the window as a whole, and nothing lies over its corners. */
  const isInSight = (what: Locator): Promise<boolean> =>
    what.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const { ownerDocument } = element;
      return [top + 2, bottom - 2].every((y) =>
        // Corners may be round.
        [left + 12, right - 12].every((x) => element.contains(ownerDocument.elementFromPoint(x, y))),
      );
    });

  it('shows a refusal from its question on, below the head of the page', async () => {
    await me.open(`/d/${datasetId}/ask`);
    for (const question of [QUESTION, UNANSWERED]) await ask(question);
    const refused = turn(UNANSWERED);
    expect(await refused.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(400);
    for (const seen of [
      refused.getByRole('heading', { name: UNANSWERED }),
      refused.getByText('I found no clear answer. The nearest excerpts are below.'),
    ])
      await expect.poll(() => isInSight(seen)).toBe(true);
  });

  it('opens what belongs to the last answer above the box for the next question', async () => {
    const last = await ask('Who keeps the lamp of pier 9?');
    await last.getByRole('button', { name: 'Share', exact: true }).click();
    const panel = last.getByRole('region', { name: 'Shared answer' });
    await expect.poll(() => isInSight(panel)).toBe(true);
    await panel.getByRole('button', { name: 'Make a link' }).click();
    await panel.getByLabel('Link to this answer').waitFor();
    await expect.poll(() => isInSight(panel)).toBe(true);
    await panel.getByRole('button', { name: 'Close' }).click();
    await last.getByRole('button', { name: 'Poor answer' }).click();
    await expect.poll(() => isInSight(last.locator('form'))).toBe(true);
  });

  it('says over the page what became of rows far down, and leaves the focus near them', async () => {
    await me.open(`/d/${datasetId}/documents?order=name`);
    const row = page.getByRole('row', { name: `pier-${PIERS}.txt` });
    await page.locator('[role=rowgroup] [role=row]').first().focus();
    await page.keyboard.press('End');
    await row.waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('north');
    await page.keyboard.press('Enter');
    const said = page.getByText('One document has its new tags');
    await said.waitFor();
    expect(await page.evaluate('scrollY > 0')).toBe(true);
    expect(await isInSight(said)).toBe(true);
    await expect.poll(() => page.locator('main [role=row]:focus').count()).toBe(1);
  });

  it('shows on a phone in which folder a file is, however long its name is', async () => {
    const path = 'minutes/2026/Minutes of the committee for piers and lamps.txt';
    const name = path.slice(path.lastIndexOf('/') + 1);
    await ingest(service.admin, datasetId, { name, content: 'The lamps are lit at six.' }, { path });
    await page.setViewportSize({ width: 360, height: 740 });
    await me.open(`/d/${datasetId}/documents?q=Minutes`);
    const folder = page.getByRole('row', { name }).locator('small', { hasText: 'minutes/2026/' });
    await folder.waitFor();
    expect(
      await folder.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth && clientWidth > 60),
    ).toBe(true);
    expect(await isInSight(folder)).toBe(true);
    expect(me.witnessed).toEqual([]);
  });
});
