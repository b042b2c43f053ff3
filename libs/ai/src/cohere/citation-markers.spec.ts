import { describe, expect, it } from 'vitest';
import { CitationMarkers } from './citation-markers.js';

const cited = (text: string, sources: number[], from = 0): Parameters<CitationMarkers['cite']>[0] => ({
  start: from,
  end: from + [...text].length,
  text,
  sources,
});

describe('markers of citations in a stream', () => {
  it('are behind the words, behind the sign that ends them', () => {
    const markers = new CitationMarkers();
    const given = [markers.push('The pump hums. '), markers.push('It is blue.')];
    markers.cite(cited('The pump hums', [2, 3]));
    markers.cite(cited('blue', [1], 21));
    expect(given.join('') + markers.flush()).toBe('The pump hums. [2][3] It is blue. [1]');
  });

  it('come in the middle of a sentence where the words end there', () => {
    const markers = new CitationMarkers();
    const given = markers.push('It costs 5 euros and weighs 2 kg.');
    markers.cite(cited('5 euros', [1], 9));
    markers.cite(cited('2 kg', [2], 28));
    expect(given + markers.flush()).toBe('It costs 5 euros [1] and weighs 2 kg. [2]');
  });

  it('count characters beyond the first plane once', () => {
    const markers = new CitationMarkers();
    const given = markers.push('🚀🚀🚀 go and go.');
    markers.cite(cited('go', [4], 4));
    expect(given + markers.flush()).toBe('🚀🚀🚀 go [4] and go.');
  });

  it('lose no text, however it is cut, and mark a late citation before what is left', () => {
    const text = 'One two three four five six seven. Eight nine ten eleven twelve 🚀🚀🚀🚀🚀🚀🚀🚀.';
    const markers = new CitationMarkers();
    const given = [...text].map((piece) => markers.push(piece)).join('');
    expect(given).toBe('One two three four five six seven. Eight ');
    markers.cite(cited('One', [9]));
    expect(given + markers.flush()).toBe(text.replace('Eight ', 'Eight [9] '));
  });
});
