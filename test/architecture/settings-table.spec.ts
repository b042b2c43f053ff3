import { describe, expect, it } from 'vitest';
import { renderExampleFile } from '#libs/config';
import { ADAPTERS } from '../../src/app/adapters.js';
import { readProjectFile } from './project-files.js';

const page = readProjectFile('docs/settings.md');
/** The part of README.md between the heading "Settings" and the next one. */
const about = readProjectFile('README.md').split('\n## Settings\n')[1]!.split('\n## ')[0]!;
/** Names and defaults as libs/config and the adapters declare them, in its order. */
const declared = [...renderExampleFile(ADAPTERS).matchAll(/^# ([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [
  name!,
  value!,
]);
/** Cells of the rows of settings; a bar with a backslash before it is text. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(/ \| ?(?<!\\\|)/));

describe('docs/settings.md', () => {
  it('names every setting with its default, in their order, and no other', () => {
    expect(rows.map(([name, value]) => [name!.replaceAll('`', ''), value!.replaceAll('`', '').trim()])).toEqual(
      declared,
    );
    const names = new Set(declared.map(([name]) => name));
    const named = [...about.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]*)`/g)];
    expect(named.map(([, name]) => name!).filter((name) => !names.has(name))).toEqual([]);
  });

  it('has three short columns, so that a browser shows its tables', () => {
    for (const row of rows) {
      expect(row, row[0]).toHaveLength(3);
      expect(Math.max(...row.map((cell) => cell.length)), row[0]).toBeLessThanOrEqual(320);
    }
  });

  it('has the sections that README leads to', () => {
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, section]) => section!);
    const linked = [...about.matchAll(/^\| \[([^\]]+)\]\(docs\/settings\.md#([a-z-]+)\)/gm)];
    expect(linked.map(([, section]) => section)).toEqual(sections);
    expect(linked.map(([, , anchor]) => anchor)).toEqual(sections.map((one) => one.toLowerCase().replaceAll(' ', '-')));
  });
});
