import type { FieldProblem, JsonObject } from '#libs/common';
import { brokenText, type MultipartPart } from '#libs/http';

const MAX_FIELD_BYTES = 256 * 1024;

/** Which fields a form may have. */
interface FieldRules {
  readonly fileField: string;
  readonly fields: readonly string[];
}

/** The text of a field of a form, or what is wrong with it. */
export async function readField(
  part: MultipartPart,
  rules: FieldRules,
): Promise<{ readonly value?: string; readonly problem?: FieldProblem }> {
  const refuse = (code: string, detail: string): { readonly problem: FieldProblem } => ({
    problem: { pointer: `/${part.name.replaceAll('~', '~0').replaceAll('/', '~1')}`, code, detail },
  });
  if (part.name === rules.fileField) {
    return refuse('is_file', 'must be sent as a file: its Content-Disposition names no file');
  }
  if (!rules.fields.includes(part.name)) {
    return refuse('unknown_field', `unknown field; known: ${rules.fields.join(', ')}`);
  }
  const bytes = await readAtMost(part.body, MAX_FIELD_BYTES);
  if (bytes === undefined) return refuse('max_length', `must be at most ${MAX_FIELD_BYTES} bytes`);
  const value = decodeText(bytes, part.charset ?? 'utf-8');
  if (value === undefined) return refuse('well_formed_text', 'must be UTF-8, or in the charset that its part names');
  const broken = brokenText(value);
  return broken === undefined ? { value } : refuse('well_formed_text', broken);
}

async function readAtMost(body: AsyncIterable<Buffer>, most: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function decodeText(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A JSON object from a form field, or the problem with it; undefined when nothing was sent. */
export function parseJsonField(
  pointer: string,
  text: string | undefined,
): { readonly value: JsonObject | undefined } | { readonly problem: FieldProblem } {
  if (text === undefined || text.trim() === '') return { value: undefined };
  const detail = 'must be a JSON object, for instance {"source":"wiki"}';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as JsonObject };
    return { problem: { pointer, code: 'is_json_object', detail } };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is nested too deeply';
    return { problem: { pointer, code: 'is_json', detail: `${detail} (${reason})` } };
  }
}
