import { describe, expect, it } from 'vitest';
import { writtenTerms } from './written-terms.js';

const termsOf = (...terms: readonly string[]) => terms.map((term) => ({ term }));

describe('the words of a question', () => {
  it('are those that were written, without the stems that an index keeps beside them', () => {
    const terms = termsOf('gearbox', 'telescop', 'for', 'gearboxes', 'telescope');
    expect(writtenTerms(terms, 'Gearboxes for the telescope?')).toEqual(termsOf('for', 'gearboxes', 'telescope'));
  });

  it('are without a stem that ends in a letter of its own', () => {
    const terms = termsOf('batteri', 'battery', 'frost');
    expect(writtenTerms(terms, 'battery frost')).toEqual(termsOf('battery', 'frost'));
    expect(writtenTerms(termsOf('bat', 'bad'), 'bad weather')).toEqual(termsOf('bat', 'bad'));
  });

  it('keep a short word that was written beside a longer one, and what stands alone', () => {
    const terms = termsOf('car', 'carbon', 'run');
    expect(writtenTerms(terms, 'car carbon running')).toEqual(terms);
  });
});
