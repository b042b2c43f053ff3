import { expect, it } from 'vitest';
import { preferredFormat } from './preferred-format.js';

it.each([
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/xml', 'json'],
  ['text/csv', 'csv'],
  ['TEXT/CSV; charset=utf-8', 'csv'],
  ['text/*', 'csv'],
  ['text/csv, */*', 'csv'],
  ['*/*, text/csv', 'csv'],
  ['text/csv;q=0', 'json'],
  ['text/csv;q=0, */*', 'json'],
  ['application/json, text/csv;q=0.5', 'json'],
  ['application/json;q=0.4, text/csv;q=0.5', 'csv'],
  ['text/csv, application/json', 'csv'],
  ['application/json, text/csv', 'json'],
  ['text/csv;q=a', 'json'],
  ['text/csvx', 'json'],
])('makes of Accept: %s the format %s', (accept, format) => {
  expect(preferredFormat(accept)).toBe(format);
});
