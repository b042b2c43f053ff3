import { parseDocument } from 'yaml';
import { finish } from '#libs/common';
import { findYamlExcess, type YamlBounds } from './yaml-excess.js';

/**
 * What a short YAML text says, as texts, numbers, truth values, lists and maps: days stay texts. Undefined where it cannot be read, exceeds
 * the bounds or has aliases.
 */
export function readPlainYaml(text: string, bounds: YamlBounds): unknown {
  if (finish(findYamlExcess(text, bounds)) !== undefined) return undefined;
  const document = parseDocument(text, { schema: 'core', logLevel: 'silent', prettyErrors: false });
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    // What `maxAliasCount` refuses.
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}
