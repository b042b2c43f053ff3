/** Encodings that people have and the encoding standard, which `TextDecoder` follows, lacks. */
const BEYOND_STANDARD: ReadonlySet<string> = new Set([
  'cp437',
  'cp737',
  'cp775',
  'cp850',
  'cp852',
  'cp855',
  'cp857',
  'cp858',
  'cp860',
  'cp861',
  'cp862',
  'cp863',
  'cp864',
  'cp865',
  'cp1125',
  'maccenteuro',
  'macgreek',
  'macturkish',
  'maciceland',
  'cesu-8',
]);

/** Other labels of our names. Where the standard has an encoding that holds the same characters, that one is meant. */
const ALIASES: Readonly<Record<string, string>> = {
  ascii: 'utf-8',
  'utf-8-sig': 'utf-8',
  utf_8: 'utf-8',
  'utf-16': 'utf-16le',
  'utf-32': 'utf-32le',
  cesu8: 'cesu-8',
  latin9: 'iso-8859-15',
  cp932: 'shift_jis',
  'shift-jis': 'shift_jis',
  eucjp: 'euc-jp',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  cp936: 'gb18030',
  cp950: 'big5',
  big5hkscs: 'big5',
  'tis-620': 'windows-874',
  tis620: 'windows-874',
  cp874: 'windows-874',
  cp866: 'ibm866',
  maccyrillic: 'x-mac-cyrillic',
  'mac-cyrillic': 'x-mac-cyrillic',
  'x-mac-ukrainian': 'x-mac-cyrillic',
  macroman: 'macintosh',
  'mac-roman': 'macintosh',
  'x-mac-roman': 'macintosh',
  'x-mac-ce': 'maccenteuro',
  'mac-centraleurope': 'maccenteuro',
  'x-mac-greek': 'macgreek',
  'x-mac-turkish': 'macturkish',
  'x-mac-icelandic': 'maciceland',
};

/** Whether an encoding is ours and not the standard's. */
export function isBeyondStandard(name: string): boolean {
  return BEYOND_STANDARD.has(name);
}

/** The name under which we decode a label, or undefined when there is no decoder for it. */
export function canonicalCharset(label: string): string | undefined {
  const lower = label.trim().toLowerCase();
  const name = Object.hasOwn(ALIASES, lower) ? ALIASES[lower]! : codePageOf(lower);
  if (name === 'utf-32le' || name === 'utf-32be' || BEYOND_STANDARD.has(name)) return name;
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `ibm850`, `dos-850`, `850` and `csIBM850` are code page 850. */
function codePageOf(label: string): string {
  const number = /^(?:csibm|ibm|ibm-|cp-|dos-|dos|oem|oem-|pc)?(\d{3,4})$/.exec(label)?.[1];
  return number !== undefined && BEYOND_STANDARD.has(`cp${number}`) ? `cp${number}` : label;
}
