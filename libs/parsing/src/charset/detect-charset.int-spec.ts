import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { parseBytes, withDirectory } from '../testing/parse-bytes.js';
import { detectCharset } from './detect-charset.js';
import { canonicalCharset } from './charset-names.js';
import { createDecoder, decodeFile } from './decode-file.js';

async function decode(bytes: Buffer): Promise<{ name: string; text: string }> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'text');
    writeFileSync(path, bytes);
    const { name } = await detectCharset(path);
    const pieces: string[] = [];
    for await (const piece of decodeFile(path, name)) pieces.push(piece);
    return { name, text: pieces.join('') };
  });
}

/** The bytes of a text in a single-byte encoding, found by decoding every byte. */
function encode(text: string, encoding: string): Buffer {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte]),
  );
  return Buffer.from([...text].map((character) => table.get(character)!));
}

function utf32(text: string, littleEndian: boolean): Buffer {
  const bytes = Buffer.alloc([...text].length * 4);
  [...text].forEach((character, at) =>
    littleEndian
      ? bytes.writeUInt32LE(character.codePointAt(0)!, at * 4)
      : bytes.writeUInt32BE(character.codePointAt(0)!, at * 4),
  );
  return bytes;
}

const RUSSIAN = 'Обсерватория открыта для посетителей каждую пятницу вечером, вход стоит четыреста рублей. ';
const GERMAN = 'Die Führung fällt bei Nebel aus; für Gäste „ohne“ Karte gibt es am Eingang noch Plätze. ';
const THAI = 'หอดูดาวเปิดให้เข้าชมทุกวันศุกร์ตอนเย็น ค่าเข้าชมคนละหนึ่งร้อยบาท ';
const JAPANESE = '天文台は毎週金曜日の夜に公開されます。入場料は八百円です。\n';

describe('detectCharset', () => {
  it.each([
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['ibm866', RUSSIAN],
    ['windows-1252', GERMAN],
    ['windows-874', THAI],
  ])('finds %s by statistics', async (encoding, sentence) => {
    const text = sentence.repeat(5);
    expect(await decode(encode(text, encoding))).toEqual({ name: encoding, text });
  });

  it('finds UTF-16 and UTF-32 without a byte order mark', async () => {
    for (const text of [GERMAN.repeat(3), JAPANESE.repeat(20)]) {
      const little = Buffer.from(text, 'utf16le');
      expect(await decode(little)).toEqual({ name: 'utf-16le', text });
      expect(await decode(Buffer.from(little).swap16())).toEqual({ name: 'utf-16be', text });
      expect(await decode(utf32(text, true))).toEqual({ name: 'utf-32le', text });
      expect(await decode(utf32(text, false))).toEqual({ name: 'utf-32be', text });
    }
  });

  it('takes a byte order mark away, and only the first', async () => {
    expect(await decode(Buffer.from('\uFEFFa\uFEFFb'))).toEqual({ name: 'utf-8', text: 'a\uFEFFb' });
    expect(await decode(Buffer.from('\uFEFFwide', 'utf16le'))).toEqual({ name: 'utf-16le', text: 'wide' });
  });

  it('keeps UTF-8 with one damaged byte as UTF-8 and counts the replacement', async () => {
    const bytes = Buffer.concat([Buffer.from('größer '.repeat(30)), Buffer.from([0xff]), Buffer.from(' Öl')]);
    const { document, text } = await parseBytes(bytes, 'a.txt');
    expect(document.charset).toMatchObject({ name: 'utf-8', replacedCharacters: 1 });
    expect(text.endsWith('\uFFFD Öl')).toBe(true);
  });

  it('finds a legacy encoding whose first telling byte lies behind a megabyte of ASCII', async () => {
    const text = 'plain words here\n'.repeat(70_000) + GERMAN.repeat(4);
    expect(await decode(encode(text, 'windows-1252'))).toEqual({ name: 'windows-1252', text });
  });

  it('lets the user outrank the statistics, but not a byte order mark', async () => {
    const bytes = encode('цена', 'windows-1251');
    expect((await parseBytes(bytes, 'a.txt', { charset: 'windows-1251' })).text).toBe('цена');
    expect((await parseBytes(Buffer.from('\uFEFFцена'), 'a.txt', { charset: 'windows-1251' })).text).toBe('цена');
  });

  it('says so when it does not know the charset that the user named', async () => {
    const { document, text } = await parseBytes(Buffer.from('größer'), 'a.txt', { charset: 'klingon-8' });
    expect(text).toBe('größer');
    expect(document.warnings).toMatchObject([{ code: 'UNKNOWN_CHARSET' }]);
  });

  it('decodes characters that lie across the border of two reads', async () => {
    const text = `x${'語😀'.repeat(40_000)}`;
    expect(await decode(Buffer.from(text))).toEqual({ name: 'utf-8', text });
  });

  it('honours the encoding named in an HTML page', async () => {
    const bytes = encode('<meta charset="windows-1251"><p>цена</p>', 'windows-1251');
    const { document, text } = await parseBytes(bytes, 'a.html');
    expect(document.charset?.name).toBe('windows-1251');
    expect(text).toBe('цена');
  });

  it('replaces NUL and counts it, and leaves line endings as they were', async () => {
    const { document, text } = await parseBytes(Buffer.from('one\0two\r\nthree\rfour\n'), 'a.txt');
    expect(text).toBe('one\uFFFDtwo\r\nthree\rfour\n');
    expect(document.charset?.replacedCharacters).toBe(1);
  });

  it('reads UTF-16 without a mark when no byte of it is zero', async () => {
    const text = '灯塔的看守人数着黎明时驶过暗礁的船只，从前他会为每一艘升起旗子。';
    expect(await decode(Buffer.from(text, 'utf16le'))).toEqual({ name: 'utf-16le', text });
    expect(await decode(Buffer.from(text, 'utf16le').swap16())).toEqual({ name: 'utf-16be', text });
    expect((await parseBytes(Buffer.from(text, 'utf16le'), 'a.txt')).text).toBe(text);
  });

  it('does not take short ASCII for UTF-16', async () => {
    expect(await decode(Buffer.from('Bush hid the facts'))).toEqual({ name: 'utf-8', text: 'Bush hid the facts' });
  });

  it('keeps a short text of UTF-8 with a broken byte, or cut off within a character, as UTF-8', async () => {
    const whole = Buffer.from('Die Möwe grüßt den Wärter.');
    const broken = Buffer.concat([whole, Buffer.from([0xfc]), Buffer.from(' Schön.')]);
    expect(await decode(broken)).toMatchObject({ name: 'utf-8', text: 'Die Möwe grüßt den Wärter.\uFFFD Schön.' });
    const cut = Buffer.from('Größe: 12 m²');
    expect(await decode(cut.subarray(0, cut.length - 1))).toEqual({ name: 'utf-8', text: 'Größe: 12 m\uFFFD' });
    const { document } = await parseBytes(broken, 'a.txt');
    expect(document.warnings).toMatchObject([
      { code: 'REPLACED_CHARACTERS', detail: expect.stringMatching(/^1 character .*2\.9 %/) },
    ]);
  });

  it('puts pairs of surrogates together that were encoded one by one', async () => {
    const bytes = Buffer.from('66c3bc7220eda0bdedb880', 'hex');
    expect(await decode(bytes)).toEqual({ name: 'cesu-8', text: 'für 😀' });
    expect(await decode(Buffer.concat([Buffer.from('für '), Buffer.from('eda0bd', 'hex')]))).toMatchObject({
      name: 'utf-8',
    });
  });

  it.each(['cp437', 'cp850', 'cp852', 'cp855', 'macintosh', 'cesu-8'])(
    'decodes %s the same in pieces of any length',
    (name) => {
      const random = Array.from({ length: 600 }, (_, at) => (at * 37) % 256);
      const bytes = Buffer.concat([
        Buffer.from('eda0bdedb88041eda0bdeda0bdedb880edb880eda0', 'hex'),
        Buffer.from(random),
      ]);
      const whole = createDecoder(name);
      const expected = whole.decode(bytes) + whole.end();
      for (const size of [1, 2, 3, 7, 64]) {
        const decoder = createDecoder(name);
        let text = '';
        for (let at = 0; at < bytes.length; at += size) text += decoder.decode(bytes.subarray(at, at + size));
        expect(text + decoder.end()).toBe(expected);
      }
    },
  );

  it('reads ten megabytes on one line, and a table of a million line ends of three kinds', async () => {
    const line = 'größer als gedacht '.repeat(530_000);
    const { document, blocks } = await parseBytes(line, 'a.txt');
    expect(document.textLength).toBe(line.length);
    expect(blocks.at(-1)!.end).toBeLessThanOrEqual(line.length);
    const mixed = 'a\r\nb\rc\n'.repeat(100_000);
    expect((await parseBytes(mixed, 'b.txt')).text).toBe(mixed);
  });

  it('takes NUL bytes at the end of a log for padding, not for a sign of another format', async () => {
    const { document, text } = await parseBytes(
      Buffer.concat([Buffer.from('last words\n'), Buffer.alloc(2000)]),
      'a.log',
    );
    expect(text.startsWith('last words\n\uFFFD')).toBe(true);
    expect(document.fidelity['replaced_characters']).toBe(2000);
  });

  it('refuses noise under the name of a text', async () => {
    let state = 7;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) % 256;
    const noise = Buffer.from(Array.from({ length: 20_000 }, next));
    await expect(parseBytes(noise, 'a.txt')).rejects.toMatchObject({ code: 'TYPE_MISMATCH' });
    await expect(parseBytes(noise, 'noise')).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' });
  });

  it('finds the encoding of a long East Asian text from the middle of its lines', async () => {
    const text = `${'a'.repeat(3000)}\n${'灯塔的看守人数着黎明时驶过暗礁的船只'.repeat(4000)}`;
    const bytes = iconv.encode(text, 'gbk');
    expect(await decode(bytes)).toEqual({ name: 'gb18030', text });
  });

  it('knows the labels that other programs give', () => {
    expect(
      ['IBM850', 'cp-437', 'CP1252', 'latin1', 'tis-620', 'gb2312', 'MacRoman', 'utf_8', 'ms_kanji'].map(
        canonicalCharset,
      ),
    ).toEqual([
      'cp850',
      'cp437',
      'windows-1252',
      'windows-1252',
      'windows-874',
      'gb18030',
      'macintosh',
      'utf-8',
      'shift_jis',
    ]);
    expect(['klingon', 'utf-7', 'iso-2022-kr', 'hz-gb-2312', '', '__proto__'].map(canonicalCharset)).toEqual(
      Array(6).fill(undefined),
    );
  });
});
