import { ZIP } from './known-types.js';
import { OLE_MAGIC, typeOfCompound } from './compound-file.js';
import { refineArchiveType } from './refine-archive-type.js';

/**
 * The media type of a container by what lies in it, which the beginning of the file does not show: extensions of office
 * programs are mixed up all the time. Other files keep the type that was decided. Throws `MALFORMED` and `ENCRYPTED`.
 */
export async function lookInside(path: string, head: Buffer, decided: string): Promise<string> {
  if (head.subarray(0, 8).equals(OLE_MAGIC)) return typeOfCompound(path) ?? decided;
  const isZip = head.subarray(0, 2).toString('latin1') === 'PK' && (head[2] === 3 || head[2] === 5);
  if (!isZip) return decided;
  const found = await refineArchiveType(path);
  return found === ZIP ? decided : found;
}
