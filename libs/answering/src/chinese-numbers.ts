const DIGITS = '〇一二三四五六七八九';
const UNITS: ReadonlyMap<string, number> = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
/** A number before a word that counts; in “一般” and “万一” it is none. */
const NUMBER =
  /(?<!第)[〇一二两兩三四五六七八九十百千]+(?=(?<counted>[个個天日月年周週星期小时時元欧歐岁歲次人名分公里米台页頁份条條倍折])?)/gu;

/** Numbers in Chinese signs up to 9,999; telling where they count something and are not a lone “一”. */
export function chineseNumbers(text: string): { readonly forms: readonly string[]; readonly isTelling: boolean }[] {
  return [...text.matchAll(NUMBER)].map(({ 0: written, groups }) => ({
    forms: formsOf(String(valueOf(written.replace(/[两兩]/gu, '二'))), groups?.['counted']),
    isTelling: groups?.['counted'] !== undefined && written !== '一',
  }));
}

/** “三月” is March, too. */
function formsOf(value: string, counted: string | undefined): string[] {
  return counted === '月' ? [value, `m${value}`] : [value];
}

/** “二十七” is 27, and so is “二七”. */
function valueOf(written: string): number {
  if (![...written].some((sign) => UNITS.has(sign)))
    return Number([...written].map((sign) => DIGITS.indexOf(sign)).join(''));
  let [sum, open] = [0, 0];
  for (const sign of written) {
    const unit = UNITS.get(sign);
    if (unit === undefined) open = DIGITS.indexOf(sign);
    else {
      sum += (open === 0 ? 1 : open) * unit;
      open = 0;
    }
  }
  return sum + open;
}
