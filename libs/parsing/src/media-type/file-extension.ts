import { extensionOfWholeName } from './source-types.js';

/** The extension that decides for a file name, in lower case without its dot; `''` when there is none. */
export function extensionIn(fileName: string): string {
  return extensionOfWholeName(fileName) ?? /\.([^./\\]{1,16})$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}
