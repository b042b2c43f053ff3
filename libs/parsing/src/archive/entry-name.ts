import { isUtf8 } from 'node:buffer';
import * as yauzl from 'yauzl';

const UTF8_FLAG = 0x800;
const MAX_NAME_UNITS = 300;
/** Extra field with the name in UTF-8 (Info-ZIP). */
const UNICODE_NAME_FIELD = 0x7075;
/** One character between letters, or a kana of half width, as bytes of Western names would be. */
const WESTERN = /[\uff61-\uff9f]|(?<![^\0-\x7f])[^\0-\x7f](?=[a-z])|(?<=[a-z])[^\0-\x7f](?![^\0-\x7f])/i;
const JAPANESE = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\u3000-\u303f\u30fb\u30fc\uff01-\uff5e]+$/u;

/**
 * The name of an entry as its maker meant it, for people to read: UTF-8 when the entry says so, has a Unicode name beside
 * it or is valid UTF-8, Shift JIS where it reads as Japanese, else the old DOS character set. Never a path to write to: climbing
 * parts and control characters are taken out, and what is left is cut.
 */
export function displayNameOf(raw: yauzl.Entry, mostUnits = MAX_NAME_UNITS): string {
  return harmlessName(decodeName(raw), mostUnits);
}

function decodeName({ fileNameRaw, generalPurposeBitFlag, extraFields }: yauzl.Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag;
  const isOld = (flags & UTF8_FLAG) === 0 && extraFields.every(({ id }) => id !== UNICODE_NAME_FIELD);
  const japanese = isOld ? decodeJapanese(fileNameRaw) : undefined;
  return japanese ?? yauzl.getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
}

/**
 * A name in Shift JIS, as archives from Windows in Japan have it: all characters beyond ASCII are kana, common kanji and signs, never one
 * alone beside letters, as an umlaut would be. Undefined for any other.
 */
function decodeJapanese(bytes: Buffer): string | undefined {
  let name: string;
  try {
    name = new TextDecoder('shift_jis', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const runs = name.match(/[^\0-\x7f]+/g) ?? [];
  const isJapanese = runs.some((run) => run.length > 1) && runs.every((run) => JAPANESE.test(run));
  return isJapanese && !WESTERN.test(name) && !hasRareKanji(bytes) ? name : undefined;
}

/** Whether bytes in Shift JIS hold kanji of its second level, which names of files hardly have and other character sets look like. */
function hasRareKanji(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!;
    if (lead < 0x81 || (lead > 0x9f && lead < 0xe0)) continue;
    if (lead > 0x98) return true;
    at += 1;
  }
  return false;
}

/** A path as a label: no leading `/` or drive, no `..`, no control characters, no backslashes. */
export function harmlessName(path: string, mostUnits = MAX_NAME_UNITS): string {
  const parts = path
    .replaceAll('\\', '/')
    .replace(/[\p{Cc}\p{Cf}\uFFFD]/gu, '')
    .split('/')
    .map((part) => part.trim())
    .filter((part, at) => part !== '' && part !== '.' && part !== '..' && !(at === 0 && /^[a-z]:$/i.test(part)));
  return parts.join('/').slice(-mostUnits).toWellFormed() || 'unnamed';
}
