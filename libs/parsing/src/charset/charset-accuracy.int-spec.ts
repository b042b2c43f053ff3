import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { CHARSET_TEXTS } from '../testing/charset-texts.js';
import { withDirectory } from '../testing/parse-bytes.js';
import { decodeFile } from './decode-file.js';
import { detectCharset } from './detect-charset.js';

/** Encodings and the languages that are written in them. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  'utf-8': ['de', 'ru', 'ja'],
  'utf-16le': ['fr', 'uk', 'zh-Hans'],
  'utf-16be': ['es', 'he', 'ko'],
  'windows-1250': ['pl', 'cs', 'hu'],
  'windows-1251': ['ru', 'uk', 'bg'],
  'windows-1252': ['de', 'fr', 'es', 'sv'],
  'windows-1253': ['el'],
  'windows-1254': ['tr'],
  'windows-1255': ['he'],
  'windows-1256': ['ar'],
  'windows-1257': ['lt', 'lv'],
  'windows-1258': ['vi'],
  'iso-8859-2': ['pl', 'cs', 'hu'],
  'iso-8859-5': ['ru', 'bg'],
  'iso-8859-6': ['ar'],
  'iso-8859-7': ['el'],
  'iso-8859-8': ['he'],
  'iso-8859-9': ['tr'],
  'iso-8859-13': ['lt', 'lv'],
  'iso-8859-15': ['de', 'fr', 'es', 'sv'],
  'koi8-r': ['ru'],
  'koi8-u': ['uk'],
  cp866: ['ru', 'bg'],
  cp855: ['ru', 'bg'],
  maccyrillic: ['ru', 'bg'],
  cp437: ['de', 'es', 'sv'],
  cp850: ['de', 'fr', 'es', 'sv'],
  cp852: ['pl', 'cs', 'hu'],
  macintosh: ['de', 'fr', 'es', 'sv'],
  tis620: ['th'],
  shift_jis: ['ja'],
  'euc-jp': ['ja'],
  'euc-kr': ['ko'],
  gb18030: ['zh-Hans'],
  gbk: ['zh-Hans'],
  big5: ['zh-Hant'],
};
const LENGTHS = [200, 240, 300, 400, 500, 650, 800, 1000, 1400, 2000];

/** This many bytes of a text in an encoding, whole characters that it has; each length begins at another place. */
function encodeSome(encoding: string, language: string, bytes: number): Buffer {
  const characters = [...CHARSET_TEXTS[language]!].map((character) => ({
    character,
    bytes: iconv.encode(character, encoding),
  }));
  const possible = characters.filter(({ character, bytes: own }) => iconv.decode(own, encoding) === character);
  const start = (bytes * 7) % possible.length;
  const parts: Buffer[] = [];
  for (let length = 0, at = start; length < bytes; at += 1) {
    const own = possible[at % possible.length]!.bytes;
    parts.push(own);
    length += own.length;
  }
  return Buffer.concat(parts);
}

async function read(bytes: Buffer): Promise<{ name: string; confidence: number; text: string }> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'text');
    writeFileSync(path, bytes);
    const found = await detectCharset(path);
    const pieces: string[] = [];
    for await (const piece of decodeFile(path, found.name)) pieces.push(piece);
    return { ...found, text: pieces.join('') };
  });
}

describe('detectCharset over the encodings that people have', () => {
  it('reads at least 99 of 100 texts of 200 bytes and more exactly as they were written', async () => {
    const wrong: string[] = [];
    let all = 0;
    for (const [encoding, languages] of Object.entries(WRITTEN)) {
      for (const [at, length] of LENGTHS.entries()) {
        const language = languages[at % languages.length]!;
        const bytes = encodeSome(encoding, language, length);
        const { name, text } = await read(bytes);
        all += 1;
        if (text !== iconv.decode(bytes, encoding)) wrong.push(`${encoding} ${language} ${length} as ${name}`);
      }
    }
    expect(all).toBe(360);
    expect(wrong.slice(0, 3)).toEqual(wrong);
  }, 240_000);

  it('is sure of long texts and of nothing in noise', async () => {
    let state = 1;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) % 224;
    const noise = Buffer.from(Array.from({ length: 3000 }, () => next() + 32));
    expect((await read(noise)).confidence).toBeLessThan(0.3);
    for (const [encoding, language] of [
      ['windows-1251', 'ru'],
      ['windows-1250', 'pl'],
      ['shift_jis', 'ja'],
      ['cp850', 'fr'],
    ] as const) {
      expect((await read(encodeSome(encoding, language, 1500))).confidence, encoding).toBeGreaterThan(0.8);
    }
  });

  it('finds single accented words of a language among English ones', async () => {
    const english = 'const total = items.map((item) => item.price).reduce((a, b) => a + b); // ';
    const bytes = Buffer.concat([
      Buffer.from(english.repeat(30)),
      iconv.encode('цена без учёта скидки', 'windows-1251'),
      Buffer.from(`\n${english.repeat(30)}`),
    ]);
    expect(await read(bytes)).toMatchObject({ name: 'windows-1251', text: iconv.decode(bytes, 'windows-1251') });
    const quoted = iconv.encode('He said “that’s all” – and left the café.\n', 'windows-1252');
    expect(await read(quoted)).toMatchObject({ name: 'windows-1252' });
  });

  it('keeps the frames of old tables as frames', async () => {
    const text =
      '┌──────────┬────────┐\n│ Größe    │ Fläche │\n├──────────┼────────┤\n│ für alle │ 12 m²  │\n└──────────┴────────┘\n';
    expect(await read(iconv.encode(text, 'cp437'))).toMatchObject({ text });
  });

  it('reads ISO-2022-JP by its escape sequences', async () => {
    const bytes = Buffer.from('\x1b$B%F%9%H\x1b(B ok\n', 'latin1');
    expect(await read(bytes)).toMatchObject({ name: 'iso-2022-jp', text: 'テスト ok\n' });
  });
});
