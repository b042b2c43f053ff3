import { expect, it } from 'vitest';
import { csvLine } from './csv-line.js';

it('writes fields by RFC 4180, and texts that begin like a formula with an apostrophe', () => {
  expect(csvLine(['a', 1.5, true, null, 'b,c', 'd "e"', 'f\ng'])).toBe('a,1.5,true,,"b,c","d ""e""","f\ng"\r\n');
  expect(csvLine(['=1+1', '-5', -5, '@x'])).toBe("'=1+1,'-5,-5,'@x\r\n");
});
