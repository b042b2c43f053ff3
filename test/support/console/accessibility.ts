import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** What axe-core finds on the page as it is, each place with its remedy: none is the aim. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // By way of the debugger: the page's policy, which lets no such script in, stays as it is.
  await page.evaluate(`window.axe === undefined && void (() => { ${AXE} })()`);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary: remedy }) => `${id} (${help}): ${target.join(' ')}: ${remedy}`),
  );
}

/** Fields, boxes and circles that are hard to see where they are not chosen; axe-core looks at texts alone. */
export function faintFieldsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>('eyes.faintFields()');
}

/** How far the page, or a dialog over it, can be moved to the side, and what reaches out of it. */
export function overflowOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>('eyes.overflow()');
}

/** What is wrong about the order of the headings. */
export async function headingFaults(page: Page): Promise<readonly string[]> {
  const headings = await page.evaluate<readonly (readonly [number, string])[]>('eyes.headings()');
  const faults = headings.flatMap(([level, text], index) => {
    const before = headings[index - 1]?.[0] ?? 0;
    return level > before + 1 ? [`h${level} after h${before}: ${text}`] : [];
  });
  const first = headings.filter(([level]) => level === 1);
  return first.length === 1 ? faults : [...faults, `${first.length} headings of the first level`];
}
