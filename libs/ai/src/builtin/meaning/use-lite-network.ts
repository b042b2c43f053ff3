import { ONNX_FLOAT, OnnxGraph, type Value } from './onnx-graph.js';

/** Numbers of one vector. */
export const MEANING_DIMENSIONS = 512;
/** Tokens that the network reads at once: it has no more positions. */
export const MOST_TOKENS = 128;
/** What the network reads, and gives. */
export const INPUT = 'ids';

/** A weight as `model.json` lists it; they lie one behind the other. */
export interface ListedWeight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
}

const BYTES: Readonly<Record<string, number>> = { float32: 4, int32: 4, bool: 1 };
const HEADS = 4;
/** Numbers of a token's own vector, to which its position is added, and of one inside and behind the two layers. */
const TOKEN_SIZE = 256;
const HIDDEN_SIZE = 512;
const FORWARD_SIZE = 1536;
const EPSILON = { float: 1e-6 };

const ROOT = 'module/Encoder_en/';
const APPLIED = 'module_apply_default/Encoder_en/KonaTransformer/Encode/';
const PARTS = '/ConcatPartitions/concat';
const NORM = '/layer_prepostprocess/layer_norm/layer_norm_';

/**
 * The Universal Sentence Encoder lite as an ONNX network: `ids` of one text in, a vector of length 1 out. Two transformer layers over
 * tokens and sinusoidal positions, the mean of the tokens, one dense layer. Names of weights are those of the TensorFlow graph.
 * Source: Cer et al., "Universal Sentence Encoder", 2018; weights by Google, Apache-2.0.
 * @throws Error for a list that lacks a weight
 */
export function useLiteNetwork(listed: readonly ListedWeight[]): {
  readonly graph: Uint8Array;
  readonly output: string;
} {
  const graph = new OnnxGraph();
  const net = new Layers(graph, placesOf(listed));
  const tokens = graph.apply('Gather', [net.weight('module/Embeddings_en', [8002, TOKEN_SIZE]), INPUT]);
  // The graph looks tokens up in two tables that are the same one, and adds what it finds.
  let x = graph.apply('Add', [graph.apply('Add', [tokens, tokens]), positions(graph, net)]);
  x = net.layer(x, 0, TOKEN_SIZE);
  x = net.layer(x, 1, HIDDEN_SIZE);
  const mean = graph.apply('ReduceMean', [x, graph.integers(0)], { keepdims: 1 });
  const dense = `${ROOT}hidden_layers/tanh_layer_0/`;
  const vector = graph.apply('Tanh', [
    net.linear(mean, `${dense}weights`, `${dense}bias`, [HIDDEN_SIZE, MEANING_DIMENSIONS]),
  ]);
  const row = graph.apply('Reshape', [vector, graph.integers(MEANING_DIMENSIONS)]);
  const output = graph.apply('LpNormalization', [row], { axis: 0, p: 2 });
  return { graph: graph.write(INPUT, output, MEANING_DIMENSIONS), output };
}

interface Place {
  readonly offset: number;
  readonly size: number;
}

function placesOf(listed: readonly ListedWeight[]): Map<string, Place> {
  const places = new Map<string, Place>();
  let offset = 0;
  for (const { name, shape, dtype } of listed) {
    const size = shape.reduce((product, one) => product * one, 1);
    places.set(name, { offset, size });
    offset += size * (BYTES[dtype] ?? NaN);
  }
  return places;
}

/** The parts of a transformer, each over [tokens, numbers]. */
class Layers {
  constructor(
    private readonly graph: OnnxGraph,
    private readonly places: ReadonlyMap<string, Place>,
  ) {}

  weight(name: string, shape: readonly number[]): Value {
    return this.graph.weight(shape, this.placeOf(name, shape).offset);
  }

  placeOf(name: string, shape: readonly number[]): Place {
    const place = this.places.get(name);
    const size = shape.reduce((product, one) => product * one, 1);
    if (place === undefined || place.size !== size)
      throw new Error(`the model has no weight ${name} of ${size} numbers`);
    return place;
  }

  linear(x: Value, kernel: string, bias: string, [from, to]: readonly [number, number]): Value {
    const product = this.graph.apply('MatMul', [x, this.weight(kernel, [from, to])]);
    return this.graph.apply('Add', [product, this.weight(bias, [to])]);
  }

  /** Attention, then a dense part, each added to what it was given. */
  layer(x: Value, number: number, size: number): Value {
    const { graph } = this;
    const layer = `${APPLIED}Layer_${number}/TransformerLayer`;
    // The first layer widens what it is given.
    const wide = [size, HIDDEN_SIZE] as const;
    const given =
      size === HIDDEN_SIZE ? x : this.linear(x, `${layer}/dense/kernel${PARTS}`, `${layer}/dense/bias${PARTS}`, wide);
    const attended = graph.apply('Add', [this.attention(this.normalised(x, layer, size), number, size), given]);
    return graph.apply('Add', [this.forward(this.normalised(attended, `${layer}/FFN`, HIDDEN_SIZE), number), attended]);
  }

  private normalised(x: Value, layer: string, size: number): Value {
    const parts = ['scale', 'bias'].map((part) => this.weight(`${layer}${NORM}${part}${PARTS}`, [size]));
    return this.graph.apply('LayerNormalization', [x, ...parts], { axis: -1, epsilon: EPSILON });
  }

  private attention(x: Value, number: number, size: number): Value {
    const { graph } = this;
    const within = `Layer_${number}/TransformerLayer/MultiheadAttention/`;
    const kernels = `${ROOT}KonaTransformer/Encode/${within}`;
    const biasOf = (name: string): string => `${APPLIED}${within}${name}/bias${PARTS}`;
    const single = 'qkv_transform_single';
    const all = this.linear(x, `${kernels}${single}/kernel/part_0`, biasOf(single), [size, 3 * size]);
    const [queries, keys, values] = graph.applyAll('Split', [all], 3, { axis: -1, num_outputs: 3 });
    const width = size / HEADS;
    const headsOf = (rows: Value | undefined, order: readonly number[]): Value => {
      const heads = graph.apply('Reshape', [rows!, graph.integers(0, HEADS, width)]);
      return graph.apply('Transpose', [heads], { perm: order });
    };
    const scaled = graph.apply('Mul', [headsOf(queries, [1, 0, 2]), graph.float(width ** -0.5)]);
    const likeness = graph.apply('Softmax', [graph.apply('MatMul', [scaled, headsOf(keys, [1, 2, 0])])], { axis: -1 });
    const mixed = graph.apply('MatMul', [likeness, headsOf(values, [1, 0, 2])]);
    const joined = graph.apply('Reshape', [
      graph.apply('Transpose', [mixed], { perm: [1, 0, 2] }),
      graph.integers(0, size),
    ]);
    const out = 'output_transform_single';
    return this.linear(joined, `${kernels}${out}/kernel/part_0`, biasOf(out), [size, HIDDEN_SIZE]);
  }

  private forward(x: Value, number: number): Value {
    const layer = `Layer_${number}/TransformerLayer/FFN/`;
    const kernelOf = (name: string): string => `${APPLIED}TransformerStack/${layer}${name}/Tensordot/Reshape_1`;
    const biasOf = (name: string): string => `${APPLIED}${layer}${name}/bias${PARTS}`;
    const inner = this.linear(x, kernelOf('conv1'), biasOf('conv1'), [HIDDEN_SIZE, FORWARD_SIZE]);
    const kept = this.graph.apply('Relu', [inner]);
    return this.linear(kept, kernelOf('conv2'), biasOf('conv2'), [FORWARD_SIZE, HIDDEN_SIZE]);
  }
}

/** Sine and cosine of each token's position by the model's frequencies. */
function positions(graph: OnnxGraph, net: Layers): Value {
  const [first, step] = [graph.integer(0), graph.integer(1)];
  const count = graph.apply('Squeeze', [graph.apply('Shape', [INPUT])]);
  const places = graph.apply('Cast', [graph.apply('Range', [first, count, step])], { to: ONNX_FLOAT });
  const column = graph.apply('Reshape', [places, graph.integers(-1, 1)]);
  const frequencies = net.weight(`${APPLIED}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`, [
    1,
    TOKEN_SIZE / 2,
  ]);
  const angles = graph.apply('Mul', [column, frequencies]);
  return graph.apply('Concat', [graph.apply('Sin', [angles]), graph.apply('Cos', [angles])], { axis: 1 });
}
