/** Types of numbers in ONNX. */
export const ONNX_FLOAT = 1;
const INT64 = 7;
/** `TensorProto.DataLocation`: beside the graph. */
const EXTERNAL = 1;
/** Of the standard operators; LayerNormalization came with 17. */
const OPERATORS = 18;
const FORMAT = 9;

/** What an operator is told beside its inputs; a number is whole unless it is given as `{ float }`. */
type Attribute = number | readonly number[] | { readonly float: number };

/** A value in the graph, by its name. */
export type Value = string;

/**
 * Writes a network in the ONNX format (a message of protocol buffers, field numbers as in onnx.proto3). Large weights stay beside it, in one
 * piece of bytes that the runtime is given under `WEIGHTS`.
 */
export class OnnxGraph {
  private readonly nodes: Buffer[] = [];
  private readonly constants = new Map<Value, Buffer>();
  private count = 0;

  /** The name under which the runtime is given the weights. */
  static readonly WEIGHTS = 'weights';

  /** The result of an operator with one output. */
  apply(operator: string, inputs: readonly Value[], attributes: Readonly<Record<string, Attribute>> = {}): Value {
    return this.applyAll(operator, inputs, 1, attributes)[0]!;
  }

  /** The results of an operator with several. */
  applyAll(
    operator: string,
    inputs: readonly Value[],
    outputs: number,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): Value[] {
    this.count += 1;
    const names = Array.from({ length: outputs }, (_, at) => `${operator}_${this.count}_${at}`);
    const parts = [
      ...inputs.map((name) => text(1, name)),
      ...names.map((name) => text(2, name)),
      text(4, operator),
      ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
    ];
    this.nodes.push(Buffer.concat(parts));
    return names;
  }

  float(value: number): Value {
    return this.constant(ONNX_FLOAT, [], Buffer.from(Float32Array.of(value).buffer));
  }

  integer(value: number): Value {
    return this.constant(INT64, [], Buffer.from(BigInt64Array.of(BigInt(value)).buffer));
  }

  /** Whole numbers in a row. */
  integers(...values: number[]): Value {
    return this.constant(INT64, [values.length], Buffer.from(BigInt64Array.from(values, BigInt).buffer));
  }

  /** Numbers (float32) that lie among the weights from `offset` on. */
  weight(shape: readonly number[], offset: number): Value {
    const length = shape.reduce((product, size) => product * size, 4);
    const name = `weight_${offset}_${shape.join('x')}`;
    const place = { location: OnnxGraph.WEIGHTS, offset: String(offset), length: String(length) };
    const entries = Object.entries(place).map(([key, value]) =>
      message(13, Buffer.concat([text(1, key), text(2, value)])),
    );
    this.constants.set(name, Buffer.concat([...tensor(name, shape, ONNX_FLOAT), ...entries, whole(14, EXTERNAL)]));
    return name;
  }

  /** The whole network: `input`, whole numbers in a row of any length, and one output, `size` numbers. */
  write(input: Value, output: Value, size: number): Uint8Array {
    const graph = Buffer.concat([
      ...this.nodes.map((node) => message(1, node)),
      text(2, 'network'),
      ...[...this.constants.values()].map((constant) => message(5, constant)),
      message(11, described(input, INT64, 'tokens')),
      message(12, described(output, ONNX_FLOAT, size)),
    ]);
    const operators = Buffer.concat([text(1, ''), whole(2, OPERATORS)]);
    return Buffer.concat([whole(1, FORMAT), message(7, graph), message(8, operators)]);
  }

  private constant(type: number, shape: readonly number[], bytes: Buffer): Value {
    const name = `constant_${this.constants.size}`;
    this.constants.set(name, Buffer.concat([...tensor(name, shape, type), message(9, bytes)]));
    return name;
  }
}

/** `TensorProto`, without its numbers. */
function tensor(name: string, shape: readonly number[], type: number): Buffer[] {
  return [...shape.map((size) => whole(1, size)), whole(2, type), text(8, name)];
}

/** `AttributeProto`. */
function attribute(name: string, value: Attribute): Buffer {
  const [kinds, parts] =
    typeof value === 'number'
      ? [2, [whole(3, value)]]
      : 'float' in value
        ? [1, [float(2, value.float)]]
        : [7, value.map((one) => whole(8, one))];
  return Buffer.concat([text(1, name), ...parts, whole(20, kinds)]);
}

/** `ValueInfoProto` of a row, whose length is a number or has a name. */
function described(name: string, type: number, size: number | string): Buffer {
  const dimension = message(1, typeof size === 'number' ? whole(1, size) : text(2, size));
  const tensorType = Buffer.concat([whole(1, type), message(2, dimension)]);
  return Buffer.concat([text(1, name), message(2, message(1, tensorType))]);
}

/* The wire format: a field is its number and kind (0 whole, 2 bytes with their length, 5 four bytes), then its value. */

function whole(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function float(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint(field * 8 + 5), bytes]);
}

function message(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}

/** Seven bits a byte, the lowest first; a negative number as one of 64 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(left & 0x7fn);
    left >>= 7n;
    bytes.push(left === 0n ? low : low | 0x80);
  } while (left > 0n);
  return Buffer.from(bytes);
}
