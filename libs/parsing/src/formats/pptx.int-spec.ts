import { describe, expect, it } from 'vitest';
import { makePptx, partXml, relationsXml, slideShape } from '../testing/make-ooxml.js';
import { parseBytes } from '../testing/parse-bytes.js';

const bullet = (text: string, level = 0): string =>
  `<a:p><a:pPr lvl="${level}"><a:buChar char="•"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
const number = (text: string, scheme = 'arabicPeriod', level = 0): string =>
  `<a:p><a:pPr lvl="${level}"><a:buAutoNum type="${scheme}"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
const cell = (text: string, attributes = ''): string =>
  `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;

describe('parsePptx', () => {
  it('reads slides in the order of the presentation, titles first, each on its page', async () => {
    const slides = [
      slideShape(['second in the file']) + slideShape(['First slide'], 'type="title"'),
      slideShape(['Last slide'], 'type="ctrTitle"'),
    ];
    const { outline, blocks, document } = await parseBytes(makePptx(slides), 'a.pptx');
    expect(outline).toEqual([
      'heading: First slide',
      'paragraph: second in the file',
      'page_break: ',
      'heading: Last slide',
    ]);
    expect(blocks.map(({ page }) => page)).toEqual([1, 1, 2, 2]);
    expect(document).toMatchObject({ pageCount: 2, title: 'First slide', fidelity: { pages: 2 } });
  });

  it('reads lists with levels and numbers, grouped shapes and line breaks', async () => {
    const broken = '<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r></a:p>';
    const slide =
      slideShape([
        bullet('top'),
        bullet('below', 1),
        number('first'),
        number('second'),
        number('a', 'alphaLcParenR', 1),
        number('third'),
      ]) + `<p:grpSp><p:grpSp>${slideShape(['in a group', broken])}</p:grpSp></p:grpSp>`;
    expect((await parseBytes(makePptx([slide]), 'a.pptx')).outline).toEqual([
      'list_item: - top',
      'list_item: - below',
      'list_item: 1. first',
      'list_item: 2. second',
      'list_item: a) a',
      'list_item: 3. third',
      'paragraph: in a group',
      'paragraph: one\ntwo',
    ]);
  });

  it('takes bullets from the layout and the master, and none where the layout says so', async () => {
    const layout =
      '<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="2"/></p:nvPr></p:nvSpPr><p:txBody><a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>' +
      '<a:p><a:r><a:t>Click to edit</a:t></a:r></a:p></p:txBody></p:sp>';
    const parts = {
      'ppt/slides/_rels/slide1.xml.rels': relationsXml({ l: ['slideLayout', '../slideLayouts/l.xml'] }),
      'ppt/slideLayouts/l.xml': partXml('p:sldLayout', layout),
      'ppt/slideLayouts/_rels/l.xml.rels': relationsXml({ m: ['slideMaster', '../m.xml'] }),
      'ppt/m.xml': partXml(
        'p:sldMaster',
        '<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="-"/></a:lvl1pPr></p:bodyStyle></p:txStyles>',
      ),
    };
    const slide = slideShape(['listed'], 'idx="1"') + slideShape(['plain'], 'idx="2"') + slideShape(['free']);
    expect((await parseBytes(makePptx([slide], parts), 'a.pptx')).outline).toEqual([
      'list_item: - listed',
      'paragraph: plain',
      'paragraph: free',
    ]);
  });

  it('reads tables with merged cells, charts and diagrams where they are', async () => {
    const table =
      `<p:graphicFrame><a:tbl><a:tr>${cell('a')}${cell('wide', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr>` +
      `<a:tr>${cell('tall', 'rowSpan="2"')}${cell('1')}${cell('2')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('3')}${cell('4')}</a:tr></a:tbl></p:graphicFrame>`;
    const point = (index: number, value: string): string => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`;
    const chart =
      '<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser>' +
      `<c:tx><c:strRef><c:strCache>${point(0, 'North')}</c:strCache></c:strRef></c:tx>` +
      `<c:cat><c:strRef><c:strCache>${point(0, 'Q1')}${point(1, 'Q2')}</c:strCache></c:strRef></c:cat>` +
      `<c:val><c:numRef><c:numCache>${point(0, '0.30000000000000004')}${point(1, '7')}</c:numCache></c:numRef></c:val></c:ser></c:chart>`;
    const parts = {
      'ppt/slides/_rels/slide1.xml.rels': relationsXml({
        c: ['chart', '../charts/c.xml'],
        d: ['diagramData', '../d.xml'],
      }),
      'ppt/charts/c.xml': partXml('c:chartSpace', chart),
      'ppt/d.xml': partXml(
        'dgm:dataModel',
        '<dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>',
      ),
    };
    const slide = `${table}<p:graphicFrame><c:chart r:id="c"/></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame>`;
    expect((await parseBytes(makePptx([slide], parts), 'a.pptx')).outline).toEqual([
      'table: a | wide | wide\ntall | 1 | 2\ntall | 3 | 4',
      'caption: Sales',
      'table:  | North\nQ1 | 0.3\nQ2 | 7',
      'list_item: - Plan',
    ]);
  });

  it('reads the shapes of a diagram in the order and at the depth that they are drawn in', async () => {
    const point = (id: string, text: string, type = 'node'): string =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const line = (from: string, to: string, order: number, type = ''): string =>
      `<dgm:cxn modelId="${from}${to}" ${type} srcId="${from}" destId="${to}" srcOrd="${order}"/>`;
    const points =
      point('0', '', 'doc') + point('b', 'Send') + point('a1', 'Read') + point('a', 'Check') + point('z', 'Loose');
    const lines = line('0', 'b', 1) + line('0', 'a', 0) + line('a', 'a1', 0) + line('b', 'a', 0, 'type="presOf"');
    const ring = point('x', 'Round') + point('y', 'and round') + line('x', 'y', 0) + line('y', 'x', 0);
    const parts = {
      'ppt/slides/_rels/slide1.xml.rels': relationsXml({ d: ['diagramData', '../d.xml'] }),
      'ppt/d.xml': partXml('dgm:dataModel', `<dgm:ptLst>${points}</dgm:ptLst><dgm:cxnLst>${lines}</dgm:cxnLst>${ring}`),
    };
    const slide = '<p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame>';
    const { outline, blocks } = await parseBytes(makePptx([slide], parts), 'a.pptx');
    expect(outline.map((item) => item.replace('list_item: ', ''))).toEqual([
      '- Check',
      '- Read',
      '- Send',
      '- Loose',
      '- Round',
      '- and round',
    ]);
    expect(blocks.map(({ level }) => level)).toEqual([1, 2, 1, 1, 1, 2]);
  });

  it('writes notes and comments of both kinds behind their slide, a footer once, numbers and dates never', async () => {
    const parts = {
      'ppt/_rels/presentation.xml.rels': relationsXml({
        rId1: ['slide', 'slides/slide2.xml'],
        rId2: ['slide', 'slides/slide1.xml'],
        a: ['commentAuthors', 'commentAuthors.xml'],
        b: ['authors', 'authors.xml'],
      }),
      'ppt/commentAuthors.xml': partXml('p:cmAuthorLst', '<p:cmAuthor id="0" name="Ada" initials="AL"/>'),
      'ppt/authors.xml':
        '<p188:authorLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"><p188:author id="{X}" name="Bo"/></p188:authorLst>',
      'ppt/slides/_rels/slide2.xml.rels': relationsXml({
        n: ['notesSlide', '../notes.xml'],
        c: ['comments', '../c1.xml'],
        d: ['comments', '../c2.xml'],
      }),
      'ppt/notes.xml': partXml(
        'p:notes',
        slideShape(['say', 'this'], 'type="body"') + slideShape(['7'], 'type="sldNum"'),
      ),
      'ppt/c1.xml': partXml('p:cmLst', '<p:cm authorId="0" dt="2026-01-01"><p:text>old kind</p:text></p:cm>'),
      'ppt/c2.xml':
        '<k:cmLst xmlns:k="http://schemas.microsoft.com/office/powerpoint/2018/8/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><k:cm authorId="{X}" created="2026-02-02">' +
        '<k:replyLst><k:reply authorId="{X}" created="2026-03-03"><k:txBody><a:p><a:r><a:t>reply</a:t></a:r></a:p></k:txBody></k:reply></k:replyLst>' +
        '</k:cm></k:cmLst>',
    };
    const footer = slideShape(['ACME'], 'type="ftr"') + slideShape(['12 May'], 'type="dt"');
    const { outline } = await parseBytes(
      makePptx([slideShape(['one']) + footer, slideShape(['two']) + footer], parts),
      'a.pptx',
    );
    expect(outline).toEqual([
      'paragraph: one',
      'paragraph: ACME',
      'paragraph: Notes: say\nthis',
      'paragraph: Comment by Ada (AL), 2026-01-01: old kind',
      'paragraph: Comment by Bo, 2026-03-03: reply',
      'page_break: ',
      'paragraph: two',
    ]);
  });

  it('reads shapes that a slide does not show, or leaves them out as the policy says', async () => {
    const hidden = slideShape(['secret words']).replace(
      '<p:sp>',
      '<p:sp><p:nvSpPr><p:cNvPr id="9" name="x" hidden="1"/></p:nvSpPr>',
    );
    const bytes = makePptx([slideShape(['shown words']) + hidden + slideShape(['more words'])]);
    const whole = await parseBytes(bytes, 'a.pptx');
    expect(whole.outline).toEqual(['paragraph: shown words', 'paragraph: secret words', 'paragraph: more words']);
    const unseen = whole.document.unseen ?? [];
    expect(unseen.map(({ start, end }) => whole.text.slice(start, end))).toEqual(['secret words']);
    const left = await parseBytes(bytes, 'a.pptx', { hidden: 'exclude' });
    expect(left.outline).toEqual(['paragraph: shown words', 'paragraph: more words']);
    expect(left.document.warnings[0]).toMatchObject({ code: 'HIDDEN_SLIDES' });
  });

  it('reads hidden slides, and warns of slides that are missing', async () => {
    const hidden = partXml('p:sld', `<p:cSld>${slideShape(['secret plan'])}</p:cSld>`).replace(
      '<p:sld ',
      '<p:sld show="0" ',
    );
    const whole = await parseBytes(makePptx([''], { 'ppt/slides/slide1.xml': hidden }), 'a.ppsx');
    expect(whole.text).toBe('secret plan');
    expect(whole.document.fidelity).toMatchObject({ hidden_slides: 1 });
    expect(whole.document.warnings).toContainEqual({
      code: 'HIDDEN_SLIDES',
      detail: expect.stringContaining('1 slides and 0 texts of shapes that the presentation does not show are in'),
    });
    expect(whole.document.unseen).toEqual([{ start: 0, end: 11, look: 'unseen_style' }]);
    const among = makePptx(
      ['a', 'b', 'c'].map((text) => slideShape([text])),
      {
        'ppt/slides/slide2.xml': hidden,
      },
    );
    const shown = await parseBytes(among, 'a.pptx', { hidden: 'exclude' });
    expect(shown.outline.filter((line) => line !== 'page_break: ')).toEqual(['paragraph: a', 'paragraph: c']);
    expect(shown.blocks.at(-1)).toMatchObject({ page: 3 });
    expect(shown.document.warnings[0]).toMatchObject({ code: 'HIDDEN_SLIDES' });
    expect(shown.document.unseen ?? []).toEqual([]);
    const missing = { 'ppt/_rels/presentation.xml.rels': relationsXml({ rId1: ['slide', 'slides/none.xml'] }) };
    const cut = await parseBytes(makePptx(['x'], missing), 'a.pptx');
    expect(cut.document.warnings).toContainEqual({
      code: 'PARTIAL_CONTENT',
      detail: expect.stringContaining('1 slides'),
    });
  });

  it.each([
    ['a cut file', makePptx(['x']).subarray(0, 500)],
    ['no presentation', makePptx([]).subarray(0, 0)],
    ['a damaged slide', makePptx(['<p:sp>'])],
    ['deep groups', makePptx(['<p:grpSp>'.repeat(5000)])],
  ])('answers %s with a code', async (_, bytes) => {
    await expect(parseBytes(bytes, 'a.pptx')).rejects.toMatchObject({ name: 'ParseError' });
  });
});
