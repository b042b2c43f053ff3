import { isUtf8 } from 'node:buffer';
import * as yauzl from 'yauzl';

const UTF8_FLAG = 0x800;
const MAX_NAME_UNITS = 300;

/**
 * The name of an entry as its maker meant it, for people to read: UTF-8 when the entry says so, has a Unicode name beside
 * it or is valid UTF-8, else the old DOS character set. Never a path to write to: climbing parts and control characters
 * are taken out, and what is left is cut.
 */
export function displayNameOf(raw: yauzl.Entry, mostUnits = MAX_NAME_UNITS): string {
  return harmlessName(decodeName(raw), mostUnits);
}

function decodeName({ fileNameRaw, generalPurposeBitFlag, extraFields }: yauzl.Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag;
  return yauzl.getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
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
