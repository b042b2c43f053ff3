/** Scripts that tell the language or a small group, in the order that decides ties. */
const SCRIPTS: readonly (readonly [script: string, pattern: RegExp])[] = [
  ['latin', /\p{Script=Latin}/u],
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['han', /\p{Script=Han}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['el', /\p{Script=Greek}/u],
  ['devanagari', /\p{Script=Devanagari}/u],
  ['th', /\p{Script=Thai}/u],
  ['bn', /\p{Script=Bengali}/u],
  ['ta', /\p{Script=Tamil}/u],
  ['te', /\p{Script=Telugu}/u],
  ['gu', /\p{Script=Gujarati}/u],
  ['kn', /\p{Script=Kannada}/u],
  ['ml', /\p{Script=Malayalam}/u],
  ['pa', /\p{Script=Gurmukhi}/u],
  ['ka', /\p{Script=Georgian}/u],
  ['hy', /\p{Script=Armenian}/u],
  ['am', /\p{Script=Ethiopic}/u],
  ['km', /\p{Script=Khmer}/u],
  ['lo', /\p{Script=Lao}/u],
  ['my', /\p{Script=Myanmar}/u],
  ['si', /\p{Script=Sinhala}/u],
];

/** Number of a character's script in `SCRIPTS`, from 1; 0 when it is not yet known, `OTHER` for none of them. */
const basicPlane = new Uint8Array(0x10000);
const OTHER = SCRIPTS.length + 1;

function scriptOf(character: string): number {
  const found = SCRIPTS.findIndex(([, pattern]) => pattern.test(character));
  return found < 0 ? OTHER : found + 1;
}

/** How many characters of each script are in a text; every script is named, in the order that decides ties. */
export function countScripts(text: string): Map<string, number> {
  const counts = new Uint32Array(OTHER + 1);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    let script = basicPlane[unit]!;
    if (script === 0) {
      const point = text.codePointAt(index)!;
      script = scriptOf(String.fromCodePoint(point));
      if (point > 0xffff) index += 1;
      else basicPlane[unit] = script;
    }
    counts[script]! += 1;
  }
  return new Map(SCRIPTS.map(([script], index) => [script, counts[index + 1]!]));
}
