import type { Setting } from './setting.js';

/** Price of a model in the installation's currency. */
export interface ModelPrice {
  /** Of a million tokens that it reads. */
  readonly input: number;
  /** Of a million tokens that it writes. */
  readonly output: number;
  /** Of one request. */
  readonly request: number;
}

/** By `model` or `provider/model`. */
export type ModelPrices = ReadonlyMap<string, ModelPrice>;

const FIELDS = ['input', 'output', 'request'] as const;

/** A setting that holds prices of models as JSON. */
export function prices(
  name: string,
  about: { readonly section: string; readonly description: string },
): Setting<ModelPrices> {
  return { name, fallback: new Map(), parse: parsePrices, ...about };
}

/** @throws Error that says what is wrong */
export function parsePrices(text: string): ModelPrices {
  if (text.trim() === '') return new Map();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('must be JSON: {"model": {"input": 0.02, "output": 0.08, "request": 0.002}}');
  }
  if (!isRecord(parsed)) throw new Error('must be an object of models');
  return new Map(Object.entries(parsed).map(([model, price]) => [model, parsePrice(model, price)]));
}

/** One price. @throws Error that says what is wrong */
export function parsePrice(model: string, price: unknown): ModelPrice {
  if (!isRecord(price)) throw new Error(`must hold an object for ${model}`);
  const unknown = Object.keys(price).find((key) => !(FIELDS as readonly string[]).includes(key));
  if (unknown !== undefined) throw new Error(`has ${unknown} for ${model}; known are ${FIELDS.join(', ')}`);
  const numberOf = (field: (typeof FIELDS)[number]): number => {
    const value = price[field] ?? 0;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    throw new Error(`must hold a number, 0 or larger, as ${field} of ${model}`);
  };
  return { input: numberOf('input'), output: numberOf('output'), request: numberOf('request') };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
