import { describe, expect, it } from 'vitest';
import { parseBytes, type ParsedBytes } from '../testing/parse-bytes.js';

const HEAD =
  String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}{\f3\fcharset2 Symbol;}}` +
  String.raw`{\colortbl;\red1\green2\blue3;}{\stylesheet{Normal;}{\s1\outlinelevel0 heading 1;}{\s2 Title;}{\*\cs10 Font;}}`;

const parse = (body: string): Promise<ParsedBytes> => parseBytes(Buffer.from(`${HEAD}${body}}`, 'latin1'), 'a.rtf');

describe('parseRtf', () => {
  it('reads code pages of file and fonts, Unicode with replacements, and special characters', async () => {
    const body = String.raw`Caf\'e9 \u8364?\uc2 \u916 DD\uc0\u937 \u-10179\u-8704\~\endash\_\{x\} {\f1 \'cf\'f0\'e8} {\f2 \'83\'65\'83\'58} {\f3 \'b7}\par`;
    expect((await parse(body)).text).toBe('Café €ΔΩ😀 –-{x} При テス •');
  });

  it('reads the code page that the file names', async () => {
    const bytes = Buffer.from(String.raw`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2` + '\xec\xe8\xf0}', 'latin1');
    expect((await parseBytes(bytes, 'a.rtf')).text).toBe('Приветмир');
  });

  it('finds headings by style and outline level, and markers of lists', async () => {
    const body = String.raw`\pard\s1 One\par\pard\outlinelevel1 Two\par\pard{\listtext\f3\'b7\tab}\ilvl1 dot\par{\listtext 1)\tab}num\par\pard plain\line next\par`;
    const { outline, blocks } = await parse(body);
    expect(outline).toEqual([
      'heading: One',
      'heading: Two',
      'list_item: - dot',
      'list_item: 1) num',
      'paragraph: plain\nnext',
    ]);
    expect(blocks.map(({ level }) => level)).toEqual([1, 2, 2, 2, undefined]);
  });

  it('leaves out pictures, headers, hidden and deleted text, codes of fields and what it does not know', async () => {
    const body =
      String.raw`{\header head\par}{\pict\pngblip 89504e47}{\*\unknown words}{\v hidden}{\deleted gone}{\field{\*\fldinst LINK "x"}{\fldrslt shown}}` +
      String.raw`{\info{\title The \'dcber title}{\author Me}}{\pict\bin7 }}}\par}!\par`;
    const { text, document } = await parse(body);
    expect(text).toBe('shown!');
    expect(document).toMatchObject({
      title: 'The Über title',
      fidelity: { images_seen: 2, hidden_characters_left_out: 6 },
    });
  });

  it('writes notes and comments behind their paragraph and reads text boxes and pairs', async () => {
    const body =
      String.raw`text{\footnote\pard\plain {\chftn} the note.}{\footnote\ftnalt the end.}{\*\atnid AB}{\*\atnauthor Ada}{\*\annotation{\*\atndate 1}check}{\upr{old}{\*\ud{n\u228 a}}} more\par` +
      String.raw`{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt\pard box\par}}}after\par`;
    expect((await parse(body)).outline).toEqual([
      'paragraph: textnä more',
      'paragraph: Footnote 1: the note.',
      'paragraph: Endnote 1: the end.',
      'paragraph: Comment by Ada: check',
      'paragraph: box',
      'paragraph: after',
    ]);
  });

  it('reads tables with merged cells and tables within cells', async () => {
    const nested = String.raw`\itap2 in 1\nestcell in 2\nestcell{\*\nesttableprops\trowd\cellx1\cellx2\nestrow}{\nonesttables\par}\pard\intbl\itap1 `;
    const body =
      String.raw`\trowd\cellx1\clmgf\cellx2\clmrg\cellx3\pard\intbl a\cell wide\cell\cell\row` +
      String.raw`\trowd\clvmgf\cellx1\cellx2\cellx3\pard\intbl tall\cell 1\cell 2\par two\cell\row` +
      String.raw`\trowd\clvmrg\cellx1\cellx2\cellx3\pard\intbl\cell 3\cell 4\cell\row\pard after\par` +
      String.raw`\trowd\cellx1\cellx2\pard\intbl outer\cell ${nested}tail\cell\row\pard end\par`;
    expect((await parse(body)).outline).toEqual([
      'table: a | wide | wide\ntall | 1 | 2 two\ntall | 3 | 4',
      'paragraph: after',
      'paragraph: outer',
      'table: in 1 | in 2',
      'paragraph: tail',
      'paragraph: end',
    ]);
  });

  it('reads what there is of a cut file and warns of it', async () => {
    const { text, document } = await parseBytes(String.raw`{\rtf1 whole\par {\b half`, 'a.rtf');
    expect(text).toBe('whole\n\nhalf');
    expect(document.warnings).toMatchObject([{ code: 'TRUNCATED' }]);
  });

  it('refuses what is no RTF and what is nested too deeply', async () => {
    await expect(parseBytes('only words', 'a.rtf')).rejects.toMatchObject({ code: 'MALFORMED' });
    await expect(parse('{'.repeat(100_000))).rejects.toMatchObject({ code: 'MALFORMED' });
    await expect(parse(String.raw`\itap1000000 x\nestcell`)).rejects.toMatchObject({ code: 'MALFORMED' });
  });

  it('survives absurd numbers', async () => {
    const body = String.raw`\bin-5 a{\uc999999999 \u99999999999999 b}\fs-99999999999999999999 c\uc0\u0 \bin0 d\outlinelevel77 e\par`;
    expect((await parse(body)).text).toBe('acde');
  });
});
