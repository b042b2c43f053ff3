import { entityKeyOf } from './entity-key.js';

/** A name and a shorter one that the text says is the same; both as ranges of the sentence. */
export interface SameName {
  readonly long: { readonly start: number; readonly end: number };
  readonly short: { readonly start: number; readonly end: number };
  /** Whether the short one is an acronym of the long one. */
  readonly acronym: boolean;
}

const IN_BRACKETS = /[(（]([^()（）]{2,60})[)）]/gu;
const ACRONYM = /^(?=.*\p{Lu})[\p{Lu}\p{N}][\p{Lu}\p{Ll}\p{N}&.-]{1,9}$/u;
const ABBREVIATED =
  /^(?:以下)?(?:简称|簡稱|略称|以下简称为?)?[：:]?\s*["“「]?(\p{Script=Han}{2,8}|[A-Z][A-Za-z0-9-]{1,9})["”」]?$/u;
const DEFINED = /^(?:the |der |die |das |el |la |los )?["“„«]([^"”“»]{2,40})["”“»]$/iu;
const HAN_BEFORE = /[\p{Script=Han}\p{N}·]{2,20}$/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Words of a long form that give no letter to its acronym. */
const SILENT = new Set('of the and for de del la der die des und für y e ve on in to a an'.split(' '));

/** Names followed by their short form in brackets: `early deterioration index (EDI)`, `Cordelle Estates Ltd (the "Landlord")`. */
export function findShortForms(sentence: string): SameName[] {
  const found: SameName[] = [];
  for (const match of sentence.matchAll(IN_BRACKETS)) {
    const inner = match[1]!;
    const before = sentence.slice(Math.max(0, match.index - 120), match.index).replace(/\s+$/u, '');
    const end = Math.max(0, match.index - 120) + before.length;
    const at = (text: string): { start: number; end: number } => {
      const start = match.index + match[0].indexOf(text);
      return { start, end: start + text.length };
    };
    if (ACRONYM.test(inner)) {
      const start = longFormStart(before, inner);
      if (start !== null)
        found.push({ long: { start: end - before.length + start, end }, short: at(inner), acronym: true });
    }
    const han = HAN_BEFORE.exec(before);
    const short = ABBREVIATED.exec(inner)?.[1];
    if (han !== null && short !== undefined && !ACRONYM.test(before)) {
      found.push({ long: { start: end - han[0].length, end }, short: at(short), acronym: false });
    }
    const defined = DEFINED.exec(inner)?.[1];
    if (defined !== undefined) found.push({ long: { start: end, end }, short: at(defined), acronym: false });
  }
  return found;
}

/** Where the words begin whose first letters give the acronym; null where none do. */
function longFormStart(before: string, acronym: string): number | null {
  const letters = [...acronym.toLowerCase()].filter((letter) => /\p{L}/u.test(letter));
  const words = [...before.matchAll(WORD)].slice(-2 * letters.length - 2);
  let at = letters.length - 1;
  for (let i = words.length - 1; i >= 0 && at >= 0; i--) {
    const word = words[i]![0].toLowerCase();
    if (word.startsWith(letters[at]!)) {
      if (at === 0) return entityKeyOf(before.slice(words[i]!.index)).length > acronym.length ? words[i]!.index : null;
      at -= 1;
    } else if (!SILENT.has(word) && i === words.length - 1) {
      return null; // the last word does not even begin with the last letter
    }
  }
  return null;
}
