import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanFileName, contentDisposition, fileNameOf } from './file-name.js';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const plain = (bytes: Buffer): string => fileNameOf({ plain: bytes, extended: undefined });
/** What comes of UTF-8 that is read as windows-1252 and encoded again. */
const misread = (text: string): Buffer => utf8(new TextDecoder('windows-1252').decode(utf8(text)));

const NAMES = [
  'Übersicht für März.pdf',
  'résumé – naïve.docx',
  'Łódź – żółć.txt',
  'Отчёт за год.pdf',
  'Έκθεση.txt',
  'דוח שנתי.docx',
  'تقرير سنوي.pdf',
  '年度報告書.pdf',
  '보고서.txt',
  'รายงานประจำปี.txt',
  'รายงาน 年報 Ü.txt',
  'șțiință.txt',
  '📈 figures.csv',
  'Tiếng Việt.txt',
];

describe('the name of an uploaded file', () => {
  it.each(NAMES)('is read as UTF-8: %s', (name) => {
    expect(plain(utf8(name))).toBe(name);
  });

  it.each(NAMES)('is restored after its UTF-8 was taken for latin1: %s', (name) => {
    expect(plain(misread(name))).toBe(name);
    expect(plain(utf8(latin1Of(name)))).toBe(name);
  });

  it.each(NAMES)('is read by RFC 8187, which takes precedence over the plain form: %s', (name) => {
    const extended = latin1(`UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`);
    expect(fileNameOf({ plain: utf8('fallback.txt'), extended })).toBe(name);
    expect(fileNameOf({ plain: undefined, extended })).toBe(name);
  });

  it.each([
    ['raw latin1 bytes', latin1('Übersicht für März.pdf'), 'Übersicht für März.pdf'],
    ['raw windows-1252 bytes', Buffer.from([0x93, 0x61, 0x94, 0x80, 0x2e, 0x74, 0x78, 0x74]), '“a”€.txt'],
    ['a name misread twice', misread(misread('Müller.txt').toString('utf8')), 'Müller.txt'],
    ['decomposed letters, as macOS has them', utf8('Über.txt'), 'Über.txt'],
    ['decomposed letters, misread', misread('Über.txt'), 'Über.txt'],
    ['letters and signs that only look misread', utf8('NESCAFÉ®.pdf'), 'NESCAFÉ®.pdf'],
    ['a sign of its own', utf8('50 £ © ½.txt'), '50 £ © ½.txt'],
    ['a single accented letter', utf8('café.txt'), 'café.txt'],
    ['a byte order mark', utf8('\ufeffa.txt'), 'a.txt'],
    ['a Windows path', utf8('C:\\fakepath\\new.txt'), 'new.txt'],
    ['a path that climbs', utf8('../../etc/passwd'), 'passwd'],
    ['a path of both kinds', utf8('a\\b/c.txt'), 'c.txt'],
    ['percent signs that mean themselves', utf8('100%25 sure%2F.txt'), '100%25 sure%2F.txt'],
    ['quotes as browsers write them', utf8('a %22b%22.txt'), 'a "b".txt'],
    ['line breaks as browsers write them', utf8('a%0D%0Ab.txt'), 'ab.txt'],
    ['control characters', utf8('a\u0000b\u001f\u007f\u0085c.txt'), 'abc.txt'],
    ['a turned direction', utf8('exe\u202etxt.pdf\u2066'), 'exetxt.pdf'],
    ['white space around it', utf8('  a.txt \u00a0'), 'a.txt'],
    ['an encoded word of a mail', latin1('=?UTF-8?B?w5xiZXIudHh0?='), 'Über.txt'],
    [
      'encoded words in two encodings',
      latin1('=?iso-8859-1?Q?=DCber_?= =?utf-8?q?m=C3=A4=C3=9Fig.txt?='),
      'Über mäßig.txt',
    ],
    ['what only looks like an encoded word', latin1('=?x?B?!!!?=.txt'), '=?x?B?!!!?=.txt'],
    ['an encoded word of an unknown encoding', latin1('=?nonsense?B?w5w=?='), '=?nonsense?B?w5w=?='],
    ['half of a pair, which UTF-8 does not have', Buffer.from([0xed, 0xa0, 0xbd, 0x2e, 0x74]), 'í\u00a0½.t'],
  ])('is right for %s', (_what, bytes, name) => {
    expect(plain(bytes)).toBe(name);
  });

  it.each([
    ["ISO-8859-1''%DCbersicht.pdf", 'Übersicht.pdf'],
    ["iso-8859-1'en'%A3%20rates.txt", '£ rates.txt'],
    ["utf-8'de'%C3%9Cber%20alles.txt", 'Über alles.txt'],
    ["Shift_JIS''%93%FA%96%7B.txt", '日本.txt'],
    ["UTF-8''..%2F..%2Fpasswd", 'passwd'],
  ])('is read from filename*=%s', (extended, name) => {
    expect(fileNameOf({ plain: undefined, extended: latin1(extended) })).toBe(name);
  });

  it.each(["UTF-8''%FF%FE.txt", "nonsense''a.txt", 'UTF-8 a.txt', "UTF-8''bad%zz.txt", ''])(
    'falls back to the plain form when filename* cannot be read: %j',
    (extended) => {
      expect(fileNameOf({ plain: utf8('plain.txt'), extended: latin1(extended) })).toBe('plain.txt');
    },
  );

  it.each(['', ' ', '.', '..', '...', '/', 'folder/', '\u0000\u0007', '\u200e'])('is empty for %j', (name) => {
    expect(cleanFileName(name)).toBe('');
  });

  it('is cut between characters and keeps its extension', () => {
    const long = cleanFileName(`${'😀'.repeat(200)}.tar.gz`);
    expect(long).toHaveLength(255);
    expect(long.isWellFormed()).toBe(true);
    expect(long.endsWith('😀.gz')).toBe(true);
    expect(cleanFileName(`x${'😀'.repeat(200)}.gz`)).toHaveLength(254);
    expect(cleanFileName('y'.repeat(300))).toBe('y'.repeat(255));
    expect(cleanFileName(`a.${'z'.repeat(300)}`)).toHaveLength(255);
  });

  it('is safe whatever bytes were sent', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const name = plain(Buffer.from(bytes));
      expect(name.length).toBeLessThanOrEqual(255);
      expect(name.isWellFormed()).toBe(true);
      expect(name).not.toMatch(/[\\/]|\p{Cc}/u);
      expect(name).toBe(name.trim());
      expect(name).toBe(name.normalize('NFC'));
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('Content-Disposition', () => {
  it.each([
    ['a.txt', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
    ['Über "x".txt', `attachment; filename="_ber _x_.txt"; filename*=UTF-8''%C3%9Cber%20%22x%22.txt`],
    ["100% (it's).txt", `attachment; filename="100_ (it's).txt"; filename*=UTF-8''100%25%20%28it%27s%29.txt`],
    ['😀.txt', `attachment; filename="_.txt"; filename*=UTF-8''%F0%9F%98%80.txt`],
    ['../../a\\b', `attachment; filename=".._.._a_b"; filename*=UTF-8''.._.._a_b`],
  ])('of %s', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });

  it('returns the stored name', () => {
    const property = fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (raw) => {
      const name = cleanFileName(raw);
      const extended = /filename\*=(.+)$/.exec(contentDisposition(name))![1]!;
      expect(fileNameOf({ plain: undefined, extended: latin1(extended) })).toBe(name);
    });
    fc.assert(property);
  });
});

/** The code units of the UTF-8 bytes, control characters and all. */
function latin1Of(text: string): string {
  return utf8(text).toString('latin1');
}
