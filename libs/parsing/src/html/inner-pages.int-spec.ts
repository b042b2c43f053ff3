import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

const escaped = (page: string): string => page.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const framed = (page: string, attributes = ''): string =>
  `<iframe ${attributes} srcdoc="${escaped(page)}">Old browser</iframe>`;
const around = (inside: string): string =>
  `<h1>Guide</h1><p>Words before the frame</p>${inside}<p>Words behind the frame</p>`;

describe('pages within a page (iframe srcdoc)', () => {
  it('are read in their place', async () => {
    const page =
      '<!doctype html><title>Inner</title><h2>Terms</h2><p>At most 42 litres</p><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>';
    const { outline, document } = await parseBytes(around(framed(page)), 'a.html');
    expect(outline).toEqual([
      'heading: Guide',
      'paragraph: Words before the frame',
      'heading: Terms',
      'paragraph: At most 42 litres',
      'table: A | B\n1 | 2',
      'paragraph: Words behind the frame',
    ]);
    expect(document.title).toBe('Guide');
  });

  it('have rules of their own, and are no text in a frame that is hidden or fetched', async () => {
    const inner = framed(
      '<head><style>p{display:none}</style></head><body><p>Unseen</p><div>Seen in the frame</div></body>',
    );
    const { outline, document } = await parseBytes(
      around(`${inner}${framed('<p>Hidden frame</p>', 'hidden')}<iframe src="a.html">Fallback</iframe>`),
      'a.html',
    );
    expect(outline).toEqual([
      'heading: Guide',
      'paragraph: Words before the frame',
      'paragraph: Seen in the frame',
      'paragraph: Words behind the frame',
    ]);
    expect(document.fidelity['hidden_units']).toBe('Unseen'.length + 'Hiddenframe'.length);
  });

  it('are read to a bounded depth', async () => {
    let page = '<p>Level 0</p>';
    for (let level = 1; level <= 6; level += 1) page = `<p>Level ${level}</p>${framed(page)}`;
    const { text } = await parseBytes(page, 'a.html');
    expect(text.split('\n\n')).toEqual(['Level 6', 'Level 5', 'Level 4', 'Level 3']);
  });
});

describe('what an element of HTML says of itself', () => {
  it('hides it, and is counted', async () => {
    const page =
      '<p>Shown</p><p hidden>12345</p><p style="display: none">678 <b>90</b></p><template><p>Template</p></template><noscript>No</noscript><details><summary>More</summary><p>Within</p></details><p aria-hidden="true">For eyes</p>';
    const { outline, document } = await parseBytes(page, 'a.html');
    expect(outline).toEqual(['paragraph: Shown', 'paragraph: More', 'paragraph: Within', 'paragraph: For eyes']);
    expect(document.fidelity['hidden_units']).toBe(10);
  });
});
