import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBytes, withDirectory } from '../testing/parse-bytes.js';
import { detectCharset } from './detect-charset.js';
import { decodeFile } from './decode-file.js';

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
});
