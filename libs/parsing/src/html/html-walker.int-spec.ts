import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_UNITS } from '../scanning/block-scanner.js';
import { parseBytes } from '../testing/parse-bytes.js';
import { visit, type HtmlElement } from './html-elements.js';
import { parseHtmlTree } from './parse-html-tree.js';

const outlineOf = async (html: string): Promise<string[]> => (await parseBytes(html, 'page.html')).outline;

const grid = '<table><tr><td>x<td>y<tr><td>z<td>w</table>';

function countNodes(tree: { readonly childNodes: readonly unknown[] }): number {
  let count = 0;
  visit(tree as HtmlElement, () => (count += 1) > 0);
  return count;
}

describe('writeHtml', () => {
  it('keeps the visible text and the title, without scripts and styles', async () => {
    const { document, text } = await parseBytes(
      '<title>A &amp; B</title><style>p{}</style><script>x()</script><p>One<br>two &lt;3 <b>bo</b>ld</p><template>no</template>',
      'page.html',
    );
    expect(text).toBe('One\ntwo <3 bold');
    expect(document.title).toBe('A & B');
  });

  it('collapses white space as a browser does', async () => {
    expect(await outlineOf('<p>  a\n  <i> b</i>c </p><p> </p>loose\n<div>d</div>')).toEqual([
      'paragraph: a bc',
      'paragraph: loose',
      'paragraph: d',
    ]);
  });

  it('opens left-open formatting again without growing with every kind of it', async () => {
    const html = (count: number): string =>
      Array.from({ length: count }, (_, n) => `<font color=c${n}><p>x`).join('') +
      '<b style="a:b; display: none">no</b>';
    const sizeOf = (count: number): number => countNodes(parseHtmlTree(html(count)));
    expect(sizeOf(200)).toBeLessThan(2.5 * sizeOf(100));
    expect((await parseBytes(html(3), 'page.html')).text).toBe('x\n\nx\n\nx');
  });

  it('reads headings with levels, quotes, captions and code with its language', async () => {
    const { outline, blocks } = await parseBytes(
      '<h2>T</h2><blockquote><p>q</p></blockquote><figure><figcaption>c</figcaption></figure>' +
        '<pre><code class="language-sh">a  b\n  c</code></pre>',
      'page.html',
    );
    expect(outline).toEqual(['heading: T', 'quote: q', 'caption: c', 'code: a  b\n  c']);
    expect(blocks.map(({ level, language }) => level ?? language)).toEqual([2, undefined, undefined, 'sh']);
  });

  it('marks list items by their number or bullet and their depth', async () => {
    const { outline, blocks } = await parseBytes(
      '<ol start=3><li>a<ul><li>b</ul><li><p>c</p><p>more</p></ol>',
      'page.html',
    );
    expect(outline).toEqual(['list_item: 3. a', 'list_item: - b', 'list_item: 4. c', 'list_item: more']);
    expect(blocks.map(({ level }) => level)).toEqual([1, 2, 1, 1]);
  });

  it('writes a table row by row and repeats cells that span', async () => {
    const table =
      '<table><caption>Cap</caption><tr><th>A<th>B<th>C<tr><td rowspan=2>x<td colspan=2>y z<tr><td>1<td><p>2<p>3</table>';
    expect(await outlineOf(table)).toEqual(['caption: Cap', 'table: A | B | C\nx | y z | y z\nx | 1 | 2 3']);
  });

  it.each([
    ['<tr><th>A<th>B<tr><td rowspan=0>x<td>1<tr><td>2<tr><td>3', ['A | B', 'x | 1', 'x | 2', 'x | 3']],
    [
      '<tbody><tr><th>A<th>B<tr><td rowspan=0>x<td>1<tr><td>2<tbody><tr><td>y<td>3',
      ['A | B', 'x | 1', 'x | 2', 'y | 3'],
    ],
    ['<thead><tr><th rowspan=9>A<th>B</thead><tr><td>x<td>1', ['A | B', 'x | 1']],
    ['<tr><th colspan=99>Seats<tr><td>x<td>1<tr><td>y<td>2', ['Seats | Seats', 'x | 1', 'y | 2']],
    ['<tr><th colspan=2>A<th>B<tr><td colspan=2>x<td>1', ['A | B', 'x | 1']],
    ['<tr><th colspan=0>A<th>B<tr><td colspan=-3>x<td>1', ['A | B', 'x | 1']],
    ['<tr><td colspan=1e9>a<td rowspan=x>b<tr><td>c<td>d', ['a | b', 'c | d']],
    [
      `<tr><td rowspan=200>x<td>0${Array.from({ length: 150 }, (_, n) => `<tr><td>${n}`).join('')}`,
      ['x | 0', ...Array.from({ length: 150 }, (_, n) => `x | ${n}`)],
    ],
  ])('lets a cell reach as far as the table does, and no further: %#', async (rows, lines) => {
    expect((await outlineOf(`<table>${rows}</table>`)).join('\n')).toBe(`table: ${lines.join('\n')}`);
  });

  it.each(['0', '99999999'])(
    'repeats cells of rowspan=%s and colspan=100 only as far as what is written allows',
    async (down) => {
      const cells = `<td rowspan=${down} colspan=100>${'x'.repeat(20)}`.repeat(2000);
      const html = `<table><tr>${cells}${'<tr><td>y'.repeat(6000)}</table>`;
      for (const name of ['page.html', 'page.md']) {
        const { text } = await parseBytes(html, name);
        expect(text.length).toBeLessThan(html.length * 25);
        expect(text.split('y').length).toBe(6001);
      }
    },
  );

  it.each([
    ['<thead><tr><td>A<td>B</thead><tr><td>1<td>2', 1],
    ['<tr><th>A<th>B<tr><th>1<th>2<tr><th>Row<td>2', 2],
    ['<tr><td>A<td>B<tr><td>1<td>2', undefined],
    ['<tr><th>A<th>B<tr><th>1<th>2', undefined],
  ])('says how many rows a table marks as its header: %s', async (rows, headerRows) => {
    expect((await parseBytes(`<table>${rows}</table>`, 'page.html')).blocks[0]!.headerRows).toBe(headerRows);
  });

  it('reads a table that only arranges the page as running text', async () => {
    expect(await outlineOf('<table><tr><td><h1>T</h1><p>a</p></td><td><p>b</p></td></tr></table>')).toEqual([
      'heading: T',
      'paragraph: a',
      'paragraph: b',
    ]);
  });

  it('reads a grid of short cells as a table, whose cells may be headings or hold tables', async () => {
    expect(await outlineOf('<table><tr><td><h1>A</h1><td>B<tr><td>1<td>2</table>')).toEqual(['table: A | B\n1 | 2']);
    const inner = '<table><tr><td>x<td>y<tr><td>z<td style="color:white">w</table>';
    const { outline, document } = await parseBytes(
      `<table><tr><td>A<td>B<tr><td>1 ${inner}<td>2<tr><td>3<td>4</table><p>after</p>`,
      'page.html',
    );
    expect(outline).toEqual(['table: A | B\n1 | 2\n3 | 4', 'table: x | y\nz | w', 'paragraph: after']);
    expect(document.unseen).toHaveLength(1);
    const merged = `<tr><td rowspan=2>Site<td colspan=2>Power<td rowspan=2>Remark<tr><td>2022<td>2023<tr><td>Bern<td>410<td>395<td><tr><td>Chur<td>120<td>131<td>${grid}`;
    expect(await outlineOf(`<table>${merged}</table>`)).toEqual([
      'table: Site | Power | Power | Remark\nSite | 2022 | 2023 | Remark\nBern | 410 | 395 | \nChur | 120 | 131 | ',
      'table: x | y\nz | w',
    ]);
  });

  it('has the head of a table above and its foot below all rows, wherever they are written', async () => {
    const [head, foot] = ['<thead><tr><th>Train<th>Time</thead>', '<tfoot><tr><td>Total<td>2</tfoot>'];
    const body = '<tbody><tr><td>S1<td>05:30<tr><td>S2<td>06:50</tbody>';
    for (const table of [head + foot + body, head + body + foot, foot + body + head]) {
      expect(await outlineOf(`<table>${table}</table>`)).toEqual([
        'table: Train | Time\nS1 | 05:30\nS2 | 06:50\nTotal | 2',
      ]);
    }
  });

  it.each([
    ['half of its cells hold tables', `<tr><td>A<td>${grid}<tr><td>B<td>${grid}`],
    ['a cell is long', `<tr><td>A<td>${'word '.repeat(30)}<tr><td>B<td>${grid}`],
    ['a cell is empty', `<tr><td>A<td><tr><td>B<td>${grid}`],
    ['a heading is not all of its cell', '<tr><td><h2>A</h2>text<td>B<tr><td>C<td>D'],
    ['headings stand within', '<tr><td>A<td>B<tr><td>C<td><h2>D</h2>'],
    ['rows differ', `<tr><td>A<td>B<td>C<tr><td>D<td>${grid}`],
    ['cells hold pictures', `<tr><td>A<td><img alt="B"><tr><td>C<td>${grid}`],
  ])('takes a table for the arrangement of a page where %s', async (_why, rows) => {
    expect((await outlineOf(`<table>${rows}</table>`)).filter((block) => block.startsWith('table: A'))).toEqual([]);
  });

  it('leaves navigation, headers, footers and side matter out, by element and by role', async () => {
    const page = (main: string): string =>
      `<nav>menu menu</nav><header>Logo</header>${main}<aside>side</aside><div role="contentinfo">foot</div>`;
    for (const main of ['<main><p>The main text of the page</p></main>', '<p>The main text of the page</p>']) {
      const { outline, document } = await parseBytes(page(main), 'page.html');
      expect(outline).toEqual(['paragraph: The main text of the page']);
      expect(document.fidelity).toMatchObject({ boilerplate_units: 20, skipped: expect.any(String) });
    }
  });

  it('keeps everything when more than half of the text would go', async () => {
    expect(await outlineOf('<nav>menu menu menu</nav><p>text</p><footer>foot</footer>')).toHaveLength(3);
  });

  describe('believes a page with one part that it is about', () => {
    const menu = `<nav>${'menu '.repeat(60)}</nav>`;
    const popup = `<div class="signup">${'Sign up now! '.repeat(20)}</div>`;
    const words = '<p>Parcels go back within ten days.</p>';

    it.each([
      ['a main part', `${menu}${popup}loose words<main>${words}</main><footer>foot</footer>`],
      ['a part with the role of one', `${menu}${popup}<div role="main">${words}</div>`],
      ['an article', `${menu}<div>Sign up</div><article>${words}</article>${menu}`],
      ['an article with others below it', `${menu}<article>${words}<div hidden><article>x</article></div></article>`],
      ['a main part that holds a menu', `${popup}<main>${menu}${words}</main>`],
    ])('%s', async (_kind, page) => {
      expect(await outlineOf(page)).toEqual(['paragraph: Parcels go back within ten days.']);
    });

    it.each([
      ['whose main part is empty', `<nav>menu menu menu menu</nav><main> </main><p>text</p>`],
      ['whose main part only loads', `<nav>menu menu menu menu</nav><main>Loading…</main><p>text</p>`],
      ['whose main part is a menu', `<main>${menu}</main><p>text</p>`],
      ['with two articles', `${menu}<article>${words}</article><article>${words}</article>`],
      ['whose article is a teaser', `${menu}<article>${words}</article><div>${words.repeat(3)}</div>`],
    ])('and keeps all of a page %s', async (_kind, page) => {
      expect((await parseBytes(page, 'page.html')).document.fidelity['boilerplate_units']).toBe(0);
    });
  });

  it('keeps the header and footer of an article, and a header with the only main heading', async () => {
    const page =
      '<header><nav>menu</nav><h1>Title</h1></header><article><header>By Ann</header><p>The text of the article</p><footer>Sources</footer></article>';
    expect(await outlineOf(page)).toEqual([
      'heading: Title',
      'paragraph: By Ann',
      'paragraph: The text of the article',
      'paragraph: Sources',
    ]);
  });

  it('leaves the way to the page and a footer that is one by its name alone out, as wikis export them', async () => {
    const page = (trail: string): string =>
      `<div id="page"><div id="main-header">${trail}<h1>Release plan</h1></div><div id="content"><p>Release 3.2 is ready on 6 May, and the freeze is on Friday.</p></div></div>`;
    const footer = '<div id="footer"><p>Generated by the wiki on 4 March</p></div>';
    const expected = [
      'heading: Release plan',
      'paragraph: Release 3.2 is ready on 6 May, and the freeze is on Friday.',
    ];
    expect(await outlineOf(page('<ol id="breadcrumbs"><li><a href="index.html">Team</a></li></ol>') + footer)).toEqual(
      expected,
    );
    expect(await outlineOf(page('<div class="nav breadcrumb">Team / Plans</div>') + footer)).toEqual(expected);
    expect(await outlineOf(page('<p class="breadcrumbs-recipe">Bake bread</p>'))).toHaveLength(3);
  });

  it('keeps a way to the page that holds its title, and what is only named like one', async () => {
    const body = '<p>The pumps are serviced in May and in October of each year.</p>';
    const titled = '<ol class="breadcrumb"><li>Home</li><li><h1>Wartungsplan</h1></li></ol>';
    expect(await outlineOf(titled + body)).toContain('heading: Wartungsplan');
    expect(await outlineOf(`<main>${titled}${body}</main>`)).toContain('heading: Wartungsplan');
    const notice = '<div class="breadcrumb"><p>Pump 4 is out of order until <a href="/may">May</a>.</p></div>';
    expect((await outlineOf(notice + body))[0]).toMatch(/^paragraph: Pump 4 is out of order until May/);
    const plain = '<ul class="breadcrumbs"><li>Home</li><li>Pumps</li><li>Wartungsplan</li></ul>';
    const linked = '<div class="breadcrumb"><a href="/">Home</a> <a href="/p">Pumps</a> Plan for 2024.</div>';
    for (const trail of [plain, linked]) expect(await outlineOf(trail + body)).toHaveLength(1);
  });

  it('leaves a consent banner out, and keeps a page about cookies', async () => {
    const banner = '<div id="cookie-banner"><p>We use cookies</p></div>';
    expect(await outlineOf(`${banner}<p>The text of the page</p>`)).toEqual(['paragraph: The text of the page']);
    expect(await outlineOf('<div class="cookie-recipes"><p>Bake them well</p></div>')).toEqual([
      'paragraph: Bake them well',
    ]);
  });

  it('leaves hidden elements out', async () => {
    expect(await outlineOf('<p hidden>a</p><p style="color:red; display: none">b</p><p>c</p>')).toEqual([
      'paragraph: c',
    ]);
  });

  it.each([
    ['by class', '.x{display:none}', '<p class="a x">b</p>', []],
    ['by id', '#x { color: red; DISPLAY : none !important }', '<p id=x>b</p>', []],
    ['by name', '/* c */ dfn, ins {display:none;}', '<dfn>b</dfn>', []],
    ['by name and classes', 'p.x.y{display:none}', '<p class="y x">b</p>', []],
    ['on every screen', '@media screen{.x{display:none}}', '<p class=x>b</p>', []],
    ['a row', '.x{display:none}', '<table><tr><td>1<td>2<tr class=x><td>3<td>4</table>', ['table: 1 | 2']],
    ['a cell', '.x{display:none}', '<table><tr><td>1<td class=x>b<td>2</table>', ['table: 1 | 2']],
    ['though a reset displays it', '.x{display:none}p{display:block}', '<p class=x>b</p>', []],
  ])('leaves out what the rules of the page never display, %s', async (_how, css, part, read) => {
    const { outline, document } = await parseBytes(`<style>${css}</style><p>Words that stay</p>${part}`, 'a.html');
    expect(outline).toEqual(['paragraph: Words that stay', ...read]);
    expect(document.fidelity['hidden_units']).toBeGreaterThan(0);
  });

  it.each([
    ['on paper', '@media print{.x{display:none}}', ''],
    ['on small screens', '@media (max-width:600px){.x{display:none}}', ''],
    ['in something else', '.closed .x{display:none}', ''],
    ['unless something is open', '.x{display:none} .open .x{display:block}', ''],
    ['unless it is chosen', '.x{display:none} .x.active{display:block}', 'active'],
    ['until it is chosen', '.x{display:none} .active.x{display:block}', ''],
    ['unless a later rule shows it', '.x{display:none} .x{display:flex}', ''],
    ['before it', '.x::before{display:none}', ''],
  ])('keeps what is not displayed %s', async (_when, css, name) => {
    const page = `<style>${css}</style><p>Words that stay</p><p class="x ${name}">b</p>`;
    expect(await outlineOf(page)).toEqual(['paragraph: Words that stay', 'paragraph: b']);
  });

  it('leaves out what rules hide within other elements, and keeps it elsewhere', async () => {
    const css =
      '.a .b{display:none} .c>.d{display:none} nav ul.x li{display:none} .m .i{display:none} .m.open .i{display:block}';
    const page =
      `<style>${css} @media print{.p{display:none}} .q + .r{display:none}</style><div class=a><div><p class=b>gone</p></div></div><p class=b>outside</p>` +
      '<div class=c><p class=d>gone</p><div><p class=d>deeper</p></div></div><div class=m><p class=i>a menu</p></div>' +
      '<p class=p>not on paper</p><p class=q>first</p><p class=r>behind it</p>';
    expect(await outlineOf(page)).toEqual([
      'paragraph: outside',
      'paragraph: deeper',
      'paragraph: a menu',
      'paragraph: not on paper',
      'paragraph: first',
      'paragraph: behind it',
    ]);
  });

  it('keeps what a style of the element itself displays, and pages that wait for their scripts', async () => {
    const shown = '<p>Words that stay</p><p class=x style="display:block">b</p>';
    expect(await outlineOf(`<style>.x{display:none}</style>${shown}`)).toHaveLength(2);
    expect(await outlineOf('<style>#app{display:none}</style><p>Wait</p><div id=app>The whole page</div>')).toEqual([
      'paragraph: Wait',
      'paragraph: The whole page',
    ]);
  });

  it('leaves out words that are struck out, but for what is done in a list of tasks and where they are nearly all of the page', async () => {
    const price = '<p>Desk: <del><span>99 €</span></del>\n<ins>79 €</ins></p>';
    const other =
      '<p>Fee: <s>40</s> 55 <strike>euros</strike> <span style="text-decoration: line-through red">a day</span></p>';
    const done = '<ul><li><input type="checkbox" checked> <del>buy milk</del></li></ul>';
    const { outline, document } = await parseBytes(`${price}${other}${done}`, 'a.html');
    expect(outline).toEqual(['paragraph: Desk: 79 €', 'paragraph: Fee: 55', 'list_item: - [x] buy milk']);
    expect(document.warnings.map(({ code }) => code)).toEqual(['STRUCK_OUT_TEXT']);
    expect(document.fidelity).toMatchObject({ struck_out_characters_left_out: 14 });
    expect(await outlineOf('<p><del>all of it is void</del> so</p>')).toEqual(['paragraph: all of it is void so']);
  });

  it('names where links to other sites lead, and what pictures show', async () => {
    const page =
      '<p>See <a href="https://example.org/a">the list</a>, <a href="/local">here</a>, <a href="https://example.org/">example.org</a> or <a href="mailto:a@example.org?subject=x">Ann</a>.<img src="x" alt="A red pump"></p>';
    expect(await outlineOf(page)).toEqual([
      'paragraph: See the list (https://example.org/a), here, example.org or Ann (a@example.org). A red pump',
    ]);
  });

  it('reads terms and their descriptions as items of a list', async () => {
    const { outline, blocks } = await parseBytes(
      '<dl><dt>Pump</dt><dd>Moves water</dd><dd>Is loud</dd></dl>',
      'page.html',
    );
    expect(outline).toEqual(['list_item: Pump', 'list_item: - Moves water', 'list_item: - Is loud']);
    expect(blocks.map(({ level }) => level)).toEqual([1, 2, 2]);
  });

  it('decodes by its meta element', async () => {
    const page = Buffer.from('<meta charset="iso-8859-1"><p>Gr\u00fc\u00dfe</p>', 'latin1');
    expect((await parseBytes(page, 'page.html')).text).toBe('Gr\u00fc\u00dfe');
  });

  it('survives elements nested a hundred thousand deep', async () => {
    expect(await outlineOf(`${'<div>'.repeat(100_000)}deep`)).toEqual(['paragraph: deep']);
  });

  it.each(['<header class="cookie-banner">', '<div class="breadcrumb">'])(
    'judges a page of a hundred thousand %s inside of each other',
    async (tag) => {
      expect(await outlineOf(`${tag.repeat(100_000)}<h1>deep</h1>`)).toEqual(['heading: deep']);
    },
  );

  it.each(['x', '/*x', 'a{', '}x', 'a{display:none', '.x,'])(
    'reads a style of half a million characters of %j and no rule',
    async (piece) => {
      const style = piece.repeat(500_000 / piece.length);
      expect(await outlineOf(`<style>${style}</style><p>Seen.</p>`)).toEqual(['paragraph: Seen.']);
    },
  );

  it('splits an endless paragraph and an endless table into blocks of bounded length', async () => {
    const rows = '<tr><td>first cell<td>second cell'.repeat(3000);
    const { blocks, text } = await parseBytes(
      `<p>${'word <b>bold</b> '.repeat(8000)}</p><table>${rows}</table>`,
      'page.html',
    );
    expect(blocks.length).toBeGreaterThan(3);
    for (const { start, end } of blocks) expect(end - start).toBeLessThanOrEqual(MAX_BLOCK_UNITS + 100);
    expect(text.match(/first cell \| second cell/g)).toHaveLength(3000);
  });

  it('knows that rows that begin with their names have no header above', async () => {
    const headersOf = async (table: string): Promise<(number | undefined)[]> =>
      (await parseBytes(`<h1>T</h1>${table}`, 'page.html')).blocks
        .filter(({ kind }) => kind === 'table')
        .map(({ headerRows }) => headerRows);
    expect(await headersOf('<table><tr><th>Head<td>42 m<tr><th>Power<td>5 kW</table>')).toEqual([0]);
    expect(await headersOf('<table><tr><th colspan=2>Pump<tr><th>Head<td>42 m<tr><th>Power<td>5 kW</table>')).toEqual([
      0,
    ]);
    expect(await headersOf('<table><tr><th>A<th>B<tr><th>Head<td>42 m<tr><th>Power<td>5 kW</table>')).toEqual([1]);
    expect(await headersOf('<table><tr><td>A<td>B<tr><td>Head<td>42 m</table>')).toEqual([undefined]);
  });

  it('says which tasks of a list or a table are done', async () => {
    const { outline } = await parseBytes(
      '<ul class="inline-task-list"><li class="checked"><span>Fetch</span><li>Order</ul>' +
        '<ul><li><input type="checkbox" checked disabled> Write<li><label><input type=checkbox>Test</label></ul>' +
        '<table><tr><td>Task<td>Done<tr><td>Paint<td><input type=checkbox checked></table>' +
        '<form><input type=checkbox> Newsletter<input type=text></form><li><input type=checkbox hidden>Plain',
      'page.html',
    );
    expect(outline).toEqual([
      'list_item: - [x] Fetch',
      'list_item: - [ ] Order',
      'list_item: - [x] Write',
      'list_item: - [ ] Test',
      'table: Task | Done\nPaint | [x]',
      'paragraph: Newsletter',
      'list_item: - Plain',
    ]);
  });

  it('gives the labels of a drawing, without its names, definitions and styles', async () => {
    const { outline } = await parseBytes(
      '<p>Plan <svg><title>Icon</title><style>.a{}</style><defs><text>never</text></defs><g><text x=1>Boiler <tspan>room</tspan></text><text x=2>24 V</text></g></svg> of the house</p>' +
        '<table><tr><td>Part<td>Plan<tr><td>Pump<td><svg><text>Inlet</text><text>Outlet</text></svg></table>' +
        '<div><svg><foreignObject><div>Start</div><div>End</div></foreignObject></svg></div><p><svg aria-label="x"><path d="M0"/></svg>Words',
      'page.html',
    );
    expect(outline).toEqual([
      'paragraph: Plan Boiler room 24 V of the house',
      'table: Part | Plan\nPump | Inlet Outlet',
      'paragraph: Start',
      'paragraph: End',
      'paragraph: Words',
    ]);
  });

  it('counts on from the number that an item gives itself', async () => {
    const { outline } = await parseBytes(
      '<ol start=4><li>Open<li value=9>Change<li>Close<li value=x>Test</ol><ul><li value=3>Dot</ul>',
      'page.html',
    );
    expect(outline).toEqual([
      'list_item: 4. Open',
      'list_item: 9. Change',
      'list_item: 10. Close',
      'list_item: 11. Test',
      'list_item: - Dot',
    ]);
  });
});
