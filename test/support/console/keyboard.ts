import type { Page } from 'playwright-core';

const MOST_STOPS = 400;

/** Where the focus is after one more press of Tab. */
type Stop =
  | { /** Was here before, or nowhere: the round is over. */ readonly isEnd: true }
  | {
      readonly isEnd: false;
      readonly name: string;
      readonly isBefore: boolean;
      readonly isInSight: boolean;
      readonly hasRing: boolean;
    };

export interface Round {
  readonly stops: readonly string[];
  readonly faults: readonly string[];
}

/** Goes once through the page by Tab alone, from its top. */
export async function goRound(page: Page): Promise<Round> {
  await page.evaluate('eyes.beginRound()');
  const stops: string[] = [];
  const faults: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop>('eyes.lookAtFocus()');
    if (stop.isEnd) break;
    stops.push(stop.name);
    if (stop.isBefore) faults.push(`stands before the stop that led to it: ${stop.name}`);
    if (!stop.isInSight) faults.push(`has the focus out of sight: ${stop.name}`);
    if (!stop.hasRing) faults.push(`does not show that it has the focus: ${stop.name}`);
    if (stops.length > MOST_STOPS) throw new Error('The way through the page has no end.');
  }
  for (const name of await page.evaluate<readonly string[]>('eyes.neverReached()'))
    faults.push(`was never reached: ${name}`);
  return { stops, faults };
}

/** Whether Tab stays within what is open. */
export async function staysWithin(page: Page, selector: string, presses = 12): Promise<boolean> {
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press(press % 4 === 3 ? 'Shift+Tab' : 'Tab');
    const isWithin = await page.evaluate<boolean>(`eyes.isFocusWithin('${selector}')`);
    if (!isWithin) return false;
  }
  return true;
}
