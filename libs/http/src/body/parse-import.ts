import { httpErrors } from '../http.errors.js';
import { runInThread, ThreadEnded } from './run-in-thread.js';
import type { ParsedJson } from './json-thread.js';

const PROGRAM = new URL(`./json-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** The value of a large JSON text, parsed in a thread of its own. @throws `http.malformed_json`, `http.parsing_failed` */
export async function parseImport(bytes: Buffer): Promise<unknown> {
  const parsed = await runInThread<ParsedJson>(PROGRAM, bytes).catch((error: unknown) => {
    if (error instanceof ThreadEnded) throw httpErrors.parsing_failed({ reason: error.message }, { cause: error });
    throw error;
  });
  if (parsed.reason !== undefined) throw httpErrors.malformed_json({ reason: parsed.reason });
  return parsed.value;
}
