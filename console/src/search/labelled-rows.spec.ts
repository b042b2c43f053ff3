import { describe, expect, it } from 'vitest';
import { partsOf, wordsOfRows } from './labelled-rows.js';

const PRICES = 'Article | Price | Store\nPump | 120.00 | North\nValve | 80.00 | ';

describe('the rows of a passage', () => {
  it('have the names of their columns, which stand in the source', () => {
    const source = { text: PRICES, char_start: 0, heading_path: [] };
    expect(partsOf('Pump | 120.00 | North', source)).toEqual([
      {
        cells: [
          { name: 'Article', value: 'Pump' },
          { name: 'Price', value: '120.00' },
          { name: 'Store', value: 'North' },
        ],
      },
    ]);
    expect(wordsOfRows(PRICES, source)).toBe(
      'Article: Pump · Price: 120.00 · Store: North\nArticle: Valve · Price: 80.00',
    );
  });

  it('have them of the last heading where the source goes on with a table', () => {
    const source = { text: 'Valve | 80.00', char_start: 900, heading_path: ['Prices', 'Article | Price'] };
    expect(wordsOfRows('Valve | 80.00', source)).toBe('Article: Valve · Price: 80.00');
    expect(wordsOfRows('Valve | 80.00', { text: 'Valve | 80.00', char_start: 900 })).toBe('Valve · 80.00');
    const others = { ...source, heading_path: ['Article | Price | Store'] };
    expect(wordsOfRows('Valve | 80.00', others)).toBe('Valve · 80.00');
  });

  it('have them of a table of Markdown, too', () => {
    const text = 'All prices.\n\n| Article | Price |\n| --- | --: |\n| Pump | 120 |\n';
    const source = { text, char_start: 40 };
    expect(wordsOfRows('| Pump | 120 |', source)).toBe('Article: Pump · Price: 120');
    expect(wordsOfRows(text, source)).toBe('All prices.\n\nArticle: Pump · Price: 120');
  });

  it('have names over several columns before those below', () => {
    const text = 'Port | 2024 | 2024\nPort | Spring | Autumn\nAmbre | few | many';
    expect(wordsOfRows('Ambre | few | many', { text, char_start: 0 })).toBe(
      'Port: Ambre · 2024 Spring: few · 2024 Autumn: many',
    );
  });

  it('leave other text as it is, and the names where there are no rows', () => {
    const source = { text: PRICES, char_start: 0 };
    expect(wordsOfRows('Article | Price | Store', source)).toBe('Article · Price · Store');
    expect(wordsOfRows('A line\nand another.', { text: 'A line\nand another.', char_start: 0 })).toBe(
      'A line\nand another.',
    );
  });
});
