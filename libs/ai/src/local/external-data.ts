import { open, type FileHandle } from 'node:fs/promises';

/** Kinds of fields in protocol buffers. */
const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5];
const WINDOW_BYTES = 64 * 1024;
/** A name of a file is short; what is longer is skipped unread. */
const MAX_STRING_BYTES = 4096;
/** Graphs inside graphs; more is no model. */
const MAX_DEPTH = 32;

/**
 * Fields through which tensors are reached, by message (onnx.proto): number of the field → message. Everything else is skipped, weights
 * without being read.
 */
const FIELDS = {
  model: { 7: 'graph', 25: 'function' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  function: { 7: 'node' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  tensor: { 13: 'entry' },
  entry: { 1: 'key', 2: 'value' },
} as const satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;
type Message = keyof typeof FIELDS;

function isMessage(name: string): name is Message {
  return Object.hasOwn(FIELDS, name);
}

/** The file is no ONNX network, or is damaged. */
export class NotAnOnnxFileError extends Error {
  constructor(path: string, what: string) {
    super(`${path} is no ONNX network: ${what}`);
    this.name = 'NotAnOnnxFileError';
  }
}

/**
 * Names of the files in which an ONNX network keeps weights, as it says them: relative to its own folder. Reads the structure only.
 * @throws NotAnOnnxFileError
 */
export async function findExternalData(path: string): Promise<readonly string[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const walk = new Walk(file, path);
    await walk.message('model', 0, size, 0);
    return [...walk.locations];
  } finally {
    await file.close();
  }
}

class Walk {
  readonly locations = new Set<string>();
  private window: Buffer = Buffer.alloc(0);
  private windowStart = 0;
  private at = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  /** Reads the fields of one message, which lies from `start` to before `end`. */
  async message(kind: Message, start: number, end: number, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw this.broken('it is nested too deeply');
    this.at = start;
    const entry: { key?: string; value?: string } = {};
    while (this.at < end) {
      const tag = await this.varint(end);
      const type = tag % 8;
      if (type !== BYTES) {
        await this.skip(type, end);
        continue;
      }
      const length = await this.varint(end);
      const [from, to] = [this.at, this.at + length];
      if (to > end) throw this.broken('a part is longer than the file');
      const inner: string | undefined = (FIELDS[kind] as Readonly<Record<number, string>>)[Math.floor(tag / 8)];
      if (inner === 'key' || inner === 'value') entry[inner] = await this.text(length);
      else if (inner !== undefined && isMessage(inner)) await this.message(inner, from, to, depth + 1);
      this.at = to;
    }
    if (entry.key === 'location' && entry.value !== undefined) this.locations.add(entry.value);
  }

  private async skip(type: number, end: number): Promise<void> {
    if (type === VARINT) await this.varint(end);
    else if (type === FIXED64) this.at += 8;
    else if (type === FIXED32) this.at += 4;
    else throw this.broken('it holds a field of an unknown kind');
    if (this.at > end) throw this.broken('it ends in the middle of a field');
  }

  /** Numbers above 2^53 lose their last digits, which no tag and no length has. */
  private async varint(end: number): Promise<number> {
    let value = 0;
    for (let place = 0; place < 10; place += 1) {
      if (this.at >= end) throw this.broken('it ends in the middle of a number');
      const byte = await this.byte();
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte < 0x80) return value;
    }
    throw this.broken('a number is too long');
  }

  private async text(length: number): Promise<string> {
    if (length > MAX_STRING_BYTES) return '';
    const bytes = Buffer.alloc(length);
    await this.file.read(bytes, 0, length, this.at);
    return bytes.toString('utf8');
  }

  private async byte(): Promise<number> {
    if (this.at < this.windowStart || this.at >= this.windowStart + this.window.length) {
      const bytes = Buffer.alloc(WINDOW_BYTES);
      const { bytesRead } = await this.file.read(bytes, 0, WINDOW_BYTES, this.at);
      if (bytesRead === 0) throw this.broken('it was cut while it was read');
      this.window = bytes.subarray(0, bytesRead);
      this.windowStart = this.at;
    }
    const byte = this.window[this.at - this.windowStart]!;
    this.at += 1;
    return byte;
  }

  private broken(what: string): NotAnOnnxFileError {
    return new NotAnOnnxFileError(this.path, what);
  }
}
