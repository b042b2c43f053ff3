import { findForbiddenName, type FieldProblem, type JsonObject } from '#libs/common';
import { brokenText, FIELD_BYTES, FIELDS_BYTES, JsonScanner, type JsonBounds, type MultipartPart } from '#libs/http';
import { documentErrors } from '../documents.errors.js';

/** Allowed fields of a form. */
interface FieldRules {
  readonly fileField: string;
  readonly fields: readonly string[];
}

/** Number of bytes that the fields of one form may still have in total. */
export class FieldBudget {
  private left = FIELDS_BYTES;

  /** @throws `documents.fields_too_large` */
  spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw documentErrors.fields_too_large({ limit: FIELDS_BYTES });
  }
}

/** The text of a form field, or its problem. @throws `documents.fields_too_large` */
export async function readField(
  part: MultipartPart,
  rules: FieldRules,
  budget: FieldBudget,
): Promise<{ readonly value?: string; readonly problem?: FieldProblem }> {
  const refuse = (code: string, detail: string): { readonly problem: FieldProblem } => ({
    problem: { pointer: `/${part.name.replaceAll('~', '~0').replaceAll('/', '~1')}`, code, detail },
  });
  const bytes = await readAtMost(part.body, FIELD_BYTES, budget);
  if (part.name === rules.fileField) {
    return refuse('is_file', 'must be sent as a file: its Content-Disposition names no file');
  }
  if (!rules.fields.includes(part.name)) {
    return refuse('unknown_field', `unknown field; known: ${rules.fields.join(', ')}`);
  }
  if (bytes === undefined) return refuse('max_length', `must be at most ${FIELD_BYTES} bytes`);
  const value = decodeText(bytes, part.charset ?? 'utf-8');
  if (value === undefined) return refuse('well_formed_text', 'must be UTF-8, or in the charset that its part names');
  const broken = brokenText(value);
  return broken === undefined ? { value } : refuse('well_formed_text', broken);
}

/** The bytes; undefined when there are more than `most`, which are then skipped. */
async function readAtMost(body: AsyncIterable<Buffer>, most: number, budget: FieldBudget): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    budget.spend(piece.length);
    length += piece.length;
    if (length <= most) pieces.push(piece);
  }
  return length > most ? undefined : Buffer.concat(pieces);
}

function decodeText(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A JSON object from a form field, with the same limits as a JSON body, or the problem with it; undefined when nothing was sent. */
export function parseJsonField(
  pointer: string,
  text: string | undefined,
  bounds: JsonBounds,
): { readonly value: JsonObject | undefined } | { readonly problem: FieldProblem } {
  if (text === undefined || text.trim() === '') return { value: undefined };
  const exceeded = new JsonScanner(bounds).scan(Buffer.from(text));
  if (exceeded !== undefined) return { problem: tooMuch(pointer, exceeded, bounds) };
  const detail = 'must be a JSON object, for instance {"source":"wiki"}';
  try {
    const value: unknown = JSON.parse(text);
    const name = findForbiddenName(value);
    if (name !== undefined) {
      return { problem: { pointer, code: 'forbidden_name', detail: `the member name ${name} is not allowed` } };
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as JsonObject };
    return { problem: { pointer, code: 'is_json_object', detail } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: { pointer, code: 'is_json', detail: `${detail} (${error.message})` } };
  }
}

function tooMuch(pointer: string, exceeded: keyof JsonBounds, { values, depth }: JsonBounds): FieldProblem {
  return exceeded === 'values'
    ? { pointer, code: 'max_values', detail: `must hold at most ${values} values` }
    : { pointer, code: 'max_depth', detail: `must not be nested deeper than ${depth} levels` };
}
