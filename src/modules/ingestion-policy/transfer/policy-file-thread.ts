import { parentPort, workerData } from 'node:worker_threads';
import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { FieldProblem } from '#libs/common';

/** A file to read. */
export interface PolicyFileText {
  readonly format: 'json' | 'yaml';
  readonly bytes: Uint8Array;
  /** Maximum size of the content as JSON in bytes. */
  readonly maxBytes: number;
  /** Maximum number of values of the content. */
  readonly maxValues: number;
  /** Maximum depth of nested objects and lists. */
  readonly maxDepth: number;
}

/** The content of a file, or why it cannot be read. */
export type ReadPolicyFile =
  | { readonly value: unknown }
  | { readonly value?: undefined; readonly isTooLarge: true }
  | {
      readonly value?: undefined;
      readonly isTooLarge?: undefined;
      readonly reason: string;
      readonly errors: readonly FieldProblem[];
    };

/** Maximum number of uses of aliases (`*name`) in all; otherwise a file of a few lines can represent gigabytes. */
const MOST_ALIASES = 100;
/** Maximum number of reported faults; an answer shows fewer. */
const MOST_FAULTS = 100;

class Unreadable extends Error {
  readonly errors: readonly FieldProblem[];

  constructor(reason: string, errors: readonly FieldProblem[] = []) {
    super(reason);
    this.errors = errors;
  }
}

function read({ format, bytes, maxBytes, ...bounds }: PolicyFileText): ReadPolicyFile {
  try {
    const text = decode(bytes);
    if (text.trim() === '') throw new Unreadable('it is empty');
    const value = format === 'json' ? parseJson(text) : parseYaml(text, bounds);
    const isTooLarge = Buffer.byteLength(JSON.stringify(value) ?? '') > maxBytes;
    return isTooLarge ? { isTooLarge } : { value };
  } catch (error) {
    if (error instanceof Unreadable) return { reason: error.message, errors: error.errors };
    // The parser reports too many aliases with this error.
    if (error instanceof ReferenceError) return { reason: 'its aliases expand to too much data', errors: [] };
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable('it is not UTF-8');
    throw error;
  }
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unreadable(error.message, [{ pointer: '', code: 'syntax', detail: error.message }]);
  }
  // JSON.parse keeps the last of several members with one name, but a reader may see the first. JSON is also valid YAML.
  const lines = new LineCounter();
  refuseFaults(findRepeatedNames(parseDocument(text, { ...OPTIONS, lineCounter: lines })), lines);
  return value;
}

/** Finds members with the same name; the parser's own check compares each with each. */
const OPTIONS = { schema: 'core', stringKeys: true, prettyErrors: false, uniqueKeys: false } as const;

type Bounds = Pick<PolicyFileText, 'maxValues' | 'maxDepth'>;

function parseYaml(text: string, bounds: Bounds): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
  const found = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    message: code === 'MULTIPLE_DOCS' ? 'a second document begins here; send a file with one document' : message,
    at: pos[0],
  }));
  refuseFaults(found.length > 0 ? found : findRepeatedNames(document), lines);
  return unfold(document.toJS({ maxAliasCount: MOST_ALIASES }), bounds);
}

function refuseFaults(faults: readonly { readonly message: string; readonly at: number }[], lines: LineCounter): void {
  const errors = faults.slice(0, MOST_FAULTS).map(({ message, at }): FieldProblem => {
    const { line, col } = lines.linePos(at);
    return { pointer: '', code: 'syntax', detail: `line ${line}, column ${col}: ${message}` };
  });
  if (errors.length > 0) throw new Unreadable(errors[0]!.detail, errors);
}

function findRepeatedNames(document: Document.Parsed): { message: string; at: number }[] {
  const faults: { message: string; at: number }[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) faults.push({ message: 'Map keys must be unique', at: key.range?.[0] ?? 0 });
        seen.add(key.value);
      }
    },
  });
  return faults;
}

/** The value with a copy in place of each alias; an alias must not be inside of the value that it names. */
function unfold(value: unknown, { maxValues, maxDepth }: Bounds): unknown {
  const ancestors = new Set<unknown>();
  let count = 0;
  const copy = (inner: unknown): unknown => {
    if (++count > maxValues) throw new Unreadable('its content, with its aliases expanded, is too large');
    if (typeof inner !== 'object' || inner === null) return inner;
    if (ancestors.has(inner)) throw new Unreadable('an alias is inside the value that it names');
    ancestors.add(inner);
    if (ancestors.size > maxDepth) throw new Unreadable(`it is nested deeper than ${maxDepth} levels`);
    const copied: unknown = Array.isArray(inner)
      ? inner.map(copy)
      : Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, copy(each)]));
    ancestors.delete(inner);
    return copied;
  };
  return copy(value);
}

parentPort?.postMessage(read(workerData as PolicyFileText));
