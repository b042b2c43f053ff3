import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../testing/parse-bytes.js';

const HEADER = [
  'From: <Saved by Blink>',
  'Snapshot-Content-Location: https://example.org/returns',
  'Subject: Returns',
  'Date: Mon, 3 Feb 2025 10:00:00 -0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related;',
  '\ttype="text/html";',
  '\tboundary="----Page--x"',
];
const PAGE = [
  'Content-Type: text/html',
  'Content-ID: <frame-1@mhtml.blink>',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Location: https://example.org/returns',
  '',
  '<html><head><meta charset=3D"utf-8"><title>Returns</title></head><body><nav>menu</nav>=',
  '<main><h1>Returns</h1><p>Gr=C3=BC=C3=9Fe: items go back within 45 days.</p></main></body></html>',
];
const STYLE = ['Content-Type: text/css', 'Content-Location: https://example.org/a.css', '', '.price { color: red }'];
const FRAME = ['Content-Type: text/html', '', '<p>An advertisement</p>'];

function saved(parts: readonly (readonly string[])[], header = HEADER): string {
  return [...header, '', ...parts.flatMap((part) => ['------Page--x', ...part, '']), '------Page--x--', ''].join(
    '\r\n',
  );
}

describe('parseMhtml', () => {
  it('leaves out what the style sheets beside the page never display', async () => {
    const page = [...PAGE.slice(0, -1), '<main><h1>Returns</h1><p>Within 45 days.</p><p class=3Dold>30</p></main>'];
    const style = [...STYLE.slice(0, -1), '.old { display: none }'];
    const { outline } = await parseBytes(saved([page, style]), 'page.mhtml');
    expect(outline).toEqual(['heading: Returns', 'paragraph: Within 45 days.']);
  });

  it.each(['page.mhtml', 'page.mht', 'page.eml', 'page'])(
    'reads a saved page named %s: the page alone',
    async (name) => {
      const { outline, document } = await parseBytes(saved([PAGE, STYLE, FRAME]), name);
      expect(outline).toEqual(['heading: Returns', 'paragraph: Grüße: items go back within 45 days.']);
      expect(document.title).toBe('Returns');
    },
  );

  it('reads the part that the file names as the page, and one of an old browser with its encoding', async () => {
    const header = HEADER.map((line) => line.replace('type="text/html";', 'start="<frame-1@mhtml.blink>";'));
    expect((await parseBytes(saved([STYLE, FRAME, PAGE], header), 'page.mht')).text).toContain('within 45 days');
    const old = ['Content-Type: text/html; charset="windows-1252"', 'Content-Transfer-Encoding: base64', ''];
    const body = Buffer.from('<p>Preis 5 \u20ac</p>'.replace('\u20ac', '\x80'), 'latin1').toString('base64');
    const from = ['From: "Saved by Windows Internet Explorer 8"', ...HEADER.slice(2)];
    expect((await parseBytes(saved([[...old, body], STYLE], from), 'page.mht')).text).toBe('Preis 5 €');
  });

  it('reads a message named so as a message, and a mail with pictures as a mail', async () => {
    const mail = ['From: ann@example.org', 'Subject: Hello', 'Date: Mon, 3 Feb 2025 10:00:00 +0100'];
    expect((await parseBytes([...mail, '', 'Words'].join('\r\n'), 'a.mht')).text).toContain('From: ann@example.org');
    const related = saved([FRAME], [...mail, ...HEADER.slice(4)]);
    expect((await parseBytes(related, 'a.eml')).text).toContain('From: ann@example.org');
  });
});
