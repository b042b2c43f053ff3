import { describe, expect, it } from 'vitest';
import { readXml, type XmlOptions } from './xml-reader.js';

async function* pieces(...parts: (string | Buffer)[]): AsyncGenerator<Buffer | string> {
  yield* parts;
}

/** The events of a document in one line each. */
async function events(parts: (string | Buffer)[], options?: XmlOptions): Promise<string[]> {
  const seen: string[] = [];
  await readXml(
    pieces(...parts),
    {
      open: (name, attributes) => seen.push(`<${name}${JSON.stringify(attributes)}`),
      close: (name) => seen.push(`>${name}`),
      text: (text) => seen.push(text),
    },
    options,
  );
  return seen;
}

const text = async (parts: (string | Buffer)[], options?: XmlOptions): Promise<string> =>
  (await events(parts, options)).filter((event) => !/^[<>]/.test(event)).join('');

describe('readXml', () => {
  it('reads elements, attributes, text and CDATA that are torn over pieces', async () => {
    expect(await events(['<a x="1', '&amp;2"><b>on', 'e</b><![CDATA[<t', 'wo>]]></a>'])).toEqual([
      '<a{"x":"1&2"}',
      '<b{}',
      'one',
      '>b',
      '<two>',
      '>a',
    ]);
  });

  it('knows names by their namespace, whatever prefix the document chose', async () => {
    const options = { namespaces: { 'urn:words': 'w', 'urn:cells': '' } };
    const seen = await events(
      ['<o:p xmlns:o="urn:words" o:val="1"><row xmlns="urn:cells"/><x:c xmlns:x="urn:cells"/><o:t/></o:p>'],
      options,
    );
    expect(seen.filter((event) => event.startsWith('>'))).toEqual(['>row', '>c', '>w:t', '>w:p']);
    expect(seen[0]).toContain('"w:val":"1"');
  });

  it('does not take a usual prefix that is bound to something else for the usual thing', async () => {
    const options = { namespaces: { 'urn:words': 'w' } };
    const seen = await events(['<r xmlns:w="urn:words" xmlns:o="urn:words"><w:a/><o:b/></r>'], options);
    expect(seen.filter((event) => event.startsWith('>'))).toEqual(['>w:a', '>w:b', '>r']);
  });

  it('never expands entities that the document declares', async () => {
    const bomb =
      '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;&x;"><!ENTITY f SYSTEM "file:///etc/passwd">]><a>&y;&f;</a>';
    expect(await text([bomb])).toBe('&y;&f;');
  });

  it('knows further entities when it is told', async () => {
    expect(await text(['<a>&nbsp;&amp;</a>'], { entities: { nbsp: '\u00a0' } })).toBe('\u00a0&');
  });

  it('decodes UTF-16 with and without a mark, and what a declaration names', async () => {
    const wide = '<a>Größe</a>';
    expect(await text([Buffer.from(`\ufeff${wide}`, 'utf16le')])).toBe('Größe');
    expect(await text([Buffer.from(wide, 'utf16le').swap16()])).toBe('Größe');
    expect(await text([Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>\xcf\xf0</a>', 'latin1')])).toBe(
      'Пр',
    );
    expect(await text([Buffer.from('\ufeff<a>é</a>')])).toBe('é');
    expect(await text([Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>é</a>')])).toBe('é');
  });

  it.each([
    ['<a><b></a>'],
    ['<a>'],
    ['<a'],
    ['</a>'],
    [''],
    ['<a></a><b></b>'],
    ['<a b=c/>'],
    ['words only'],
    ['<a><!-- never ends'],
  ])('refuses %j as damaged', async (xml) => {
    await expect(events([xml])).rejects.toMatchObject({ name: 'ParseError', code: 'MALFORMED' });
  });

  it('forgives characters and entities that mean nothing', async () => {
    expect(await text(['<a>one\u0001&undefined;&#1;two ]]> three</a>'])).toContain('two ]]> three');
  });

  it('refuses elements that are nested too deeply, without using the stack', async () => {
    const deep = '<a>'.repeat(100_000);
    await expect(events([deep])).rejects.toMatchObject({ code: 'MALFORMED' });
    await expect(events(['<a><a><a/></a></a>'], { maxDepth: 2 })).rejects.toMatchObject({ code: 'MALFORMED' });
    await expect(events(['<a><a/></a>'], { maxDepth: 2 })).resolves.toHaveLength(4);
  });
});
