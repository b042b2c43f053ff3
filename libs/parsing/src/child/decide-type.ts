import { readHead } from '../charset/file-chunks.js';
import { DETECTION_HEAD_BYTES, detectMediaType } from '../media-type/detect-media-type.js';
import { isSupported, supportedDescription } from '../media-type/known-types.js';
import { lookInside } from '../media-type/look-inside.js';
import { ParseError } from '../parse-error.js';

/** What is known about a file before it is opened. */
export interface NamedFile {
  path: string;
  fileName: string;
  declaredMediaType?: string;
}

/** The type of a file for which there is a parser. Throws `ParseError` for a contradiction and for any other type. */
export async function decideType(file: NamedFile): Promise<string> {
  const head = readHead(file.path, DETECTION_HEAD_BYTES);
  const decision = await detectMediaType(head, file.fileName, file.declaredMediaType);
  if (decision.problem !== undefined) throw new ParseError(decision.problem.code, decision.problem.detail);
  const mediaType = await lookInside(file.path, head, decision.mediaType);
  if (isSupported(mediaType)) return mediaType;
  throw new ParseError(
    'UNSUPPORTED_TYPE',
    `Files of type ${mediaType} cannot be read; supported are ${supportedDescription()}.`,
  );
}
