/** Shannon entropy in bits for each character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/** Keys that vendors print in their documentation, or shapes of them. Kept in pieces, so that this file holds no key itself. */
const SAMPLE_SIGNS =
  /example|sample|dummy|placeholder|changeme|change_me|your[_-]?|redacted|xxxx|\*{3}|\.{3}|<[^>]{1,40}>|\$\{|(.)\1{7}|0123456789|1234567890|abcdefgh|deadbeef|insert|replace|fake|lorem|todo/i;
const KNOWN_SAMPLES: readonly string[] = [
  ['4eC39HqLyj', 'WDarjtT1zdp7dc'],
  ['BQokikJOvBiI2Hl', 'WgH4olfQ2'],
  ['SflKxwRJSMeKKF2QT4fw', 'pMeJf36POk6yJV_adQssw5c'],
  ['wJalrXUtnFEMI', 'K7MDENG'],
  ['AIzaSyDaGmWKa4Js', 'XZ-HjGw7ISLn_3namBGewQe'],
].map((pieces) => pieces.join(''));

/** Whether it represents a secret without being one. */
export function isSample(value: string): boolean {
  return SAMPLE_SIGNS.test(value) || KNOWN_SAMPLES.some((sample) => value.includes(sample));
}
