/**
 * The vocabulary of a Unigram tokenizer (SentencePiece) in a few flat arrays instead of a Map, two lists and a tree of objects for each of
 * 250,000 pieces. Imports nothing and has no syntax that is more than types, since a thread loads it from the sources as from the build.
 */

/** Pieces in the order of their ids. The arrays lie in memory that threads share. */
export interface UnigramVocabulary {
  /** UTF-16 units of all pieces, one behind the other. */
  readonly units: Uint16Array;
  /** Where each piece ends in `units`. */
  readonly ends: Uint32Array;
  readonly scores: Float64Array;
  /** A hash table of ids, -1 where there is none; its length is a power of two. */
  readonly slots: Int32Array;
  /** Units of the longest piece by its first unit. */
  readonly longest: Uint16Array;
  /** Id of what is in no piece. */
  readonly unknown: number;
}

/** What the library asks of the model of a tokenizer. */
export interface TokenizerModel {
  (parts: readonly string[]): string[];
  readonly tokens_to_ids: { get(piece: string): number | undefined };
  readonly unk_token_id: number;
}

/** A part of `tokenizer.json`. */
type Json = Readonly<Record<string, unknown>>;

/** How much less likely an unknown character is than the rarest piece; as SentencePiece and the library have it. */
const UNKNOWN_PENALTY = 10;
const MOST_UNITS = 0xffff;
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** `tokenizer.json` with its vocabulary in `model.packed`; as it is where its model is of another kind, or unusual. */
export function packTokenizer(tokenizer: Json): Json {
  const model = tokenizer['model'] as Json | undefined;
  const packed = model?.['type'] === 'Unigram' ? packVocabulary(model, addedTokensOf(tokenizer)) : undefined;
  if (packed === undefined || model === undefined) return tokenizer;
  const unknown = (model['vocab'] as [string, number][])[packed.unknown];
  return { ...tokenizer, model: { ...model, vocab: [unknown], unk_id: 0, packed } };
}

/** The model of a tokenizer that `packTokenizer` has packed; undefined for others. */
export function openPacked(tokenizer: Json): TokenizerModel | undefined {
  const packed = (tokenizer['model'] as Json | undefined)?.['packed'] as UnigramVocabulary | undefined;
  return packed === undefined ? undefined : unigramModel(packed, addedTokensOf(tokenizer));
}

interface AddedToken {
  readonly content: string;
  readonly id: number;
}

function addedTokensOf(tokenizer: Json): readonly AddedToken[] {
  return (tokenizer['added_tokens'] ?? []) as AddedToken[];
}

function packVocabulary(model: Json, added: readonly AddedToken[]): UnigramVocabulary | undefined {
  const { vocab, unk_id: unknown } = model as { readonly vocab?: unknown; readonly unk_id?: unknown };
  if (!Array.isArray(vocab) || !isIndex(unknown, vocab.length) || !vocab.every(isPiece)) return undefined;
  const pieces = vocab as readonly (readonly [string, number])[];
  const ends = shared(Uint32Array, pieces.length);
  const scores = shared(Float64Array, pieces.length);
  let end = 0;
  let least = Infinity;
  for (const [id, [piece, score]] of pieces.entries()) {
    end += piece.length;
    ends[id] = end;
    scores[id] = score;
    least = Math.min(least, score);
  }
  scores[unknown] = least - UNKNOWN_PENALTY;
  const units = shared(Uint16Array, end);
  const longest = shared(Uint16Array, MOST_UNITS + 1);
  const slots = shared(Int32Array, 2 ** Math.ceil(Math.log2(pieces.length * 2 + 1))).fill(-1);
  const packed = { units, ends, scores, slots, longest, unknown };
  for (const [id, [piece]] of pieces.entries()) addPiece(packed, id, piece);
  // Then the library would have given a piece of the vocabulary another id.
  const moved = added.some((token) => (find(packed, token.content) ?? token.id) !== token.id);
  return moved ? undefined : packed;
}

const isIndex = (value: unknown, length: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < length;

const isPiece = (entry: unknown): boolean =>
  Array.isArray(entry) &&
  typeof entry[0] === 'string' &&
  entry[0].length <= MOST_UNITS &&
  typeof entry[1] === 'number' &&
  Number.isFinite(entry[1]);

function shared<T>(
  Kind: { readonly BYTES_PER_ELEMENT: number; new (buffer: SharedArrayBuffer): T },
  length: number,
): T {
  return new Kind(new SharedArrayBuffer(length * Kind.BYTES_PER_ELEMENT));
}

/** Of equal pieces the last one counts. */
function addPiece(vocabulary: UnigramVocabulary, id: number, piece: string): void {
  const { units, ends, slots, longest } = vocabulary;
  let hash = HASH_START;
  for (let at = 0; at < piece.length; at += 1) {
    const unit = piece.charCodeAt(at);
    units[ends[id]! - piece.length + at] = unit;
    hash = Math.imul(hash ^ unit, HASH_FACTOR);
  }
  slots[slotOf(vocabulary, hash, piece, 0, piece.length)] = id;
  const first = piece.charCodeAt(0);
  if (piece !== '') longest[first] = Math.max(longest[first]!, piece.length);
}

/** The slot of the piece that is `text[start, end)`, or the free one where it would be. */
function slotOf(
  { units, ends, slots }: UnigramVocabulary,
  hash: number,
  text: string,
  start: number,
  end: number,
): number {
  const mask = slots.length - 1;
  for (let slot = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) & mask; ; slot = (slot + 1) & mask) {
    const id = slots[slot]!;
    if (id === -1) return slot;
    const from = id === 0 ? 0 : ends[id - 1]!;
    if (ends[id]! - from !== end - start) continue;
    let at = start;
    while (at < end && units[from + at - start] === text.charCodeAt(at)) at += 1;
    if (at === end) return slot;
  }
}

function find(vocabulary: UnigramVocabulary, piece: string): number | undefined {
  let hash = HASH_START;
  for (let at = 0; at < piece.length; at += 1) hash = Math.imul(hash ^ piece.charCodeAt(at), HASH_FACTOR);
  const id = vocabulary.slots[slotOf(vocabulary, hash, piece, 0, piece.length)]!;
  return id === -1 ? undefined : id;
}

function unigramModel(vocabulary: UnigramVocabulary, added: readonly AddedToken[]): TokenizerModel {
  const others = new Map(added.map(({ content, id }) => [content, id]));
  const get = (piece: string): number | undefined => others.get(piece) ?? find(vocabulary, piece);
  const isUnknown = (piece: string): boolean => (get(piece) ?? vocabulary.unknown) === vocabulary.unknown;
  const encode = (parts: readonly string[]): string[] => {
    const pieces: string[] = [];
    let previous = false;
    // Unknown characters beside each other are one.
    for (const piece of parts.flatMap((part) => divide(vocabulary, part))) {
      const unknown = isUnknown(piece);
      if (unknown && previous) pieces.push(pieces.pop()! + piece);
      else pieces.push(piece);
      previous = unknown;
    }
    return pieces;
  };
  return Object.assign(encode, { tokens_to_ids: { get }, unk_token_id: vocabulary.unknown, vocab: [] });
}

/** Ways through a text, piece by piece: each node is a piece, with the best way up to it. */
class Lattice {
  private readonly begins = [0];
  private readonly bests = [0];
  private readonly previous = [-1];
  /** Nodes that end at the same place, in the order in which they came. */
  private readonly next = [-1];
  private readonly firstAt: Int32Array;
  private readonly lastAt: Int32Array;

  constructor(length: number) {
    this.firstAt = new Int32Array(length + 1).fill(-1);
    this.lastAt = new Int32Array(length + 1).fill(-1);
    this.firstAt[0] = 0;
    this.lastAt[0] = 0;
  }

  /** Of ways that are equally likely the first one counts, as in the library. */
  add(begin: number, end: number, score: number): void {
    let best = -Infinity;
    let previous = -1;
    for (let node = this.firstAt[begin]!; node !== -1; node = this.next[node]!) {
      const sum = this.bests[node]! + score;
      if (previous !== -1 && sum <= best) continue;
      best = sum;
      previous = node;
    }
    const node = this.begins.length;
    this.begins.push(begin);
    this.bests.push(best);
    this.previous.push(previous);
    this.next.push(-1);
    if (this.firstAt[end] === -1) this.firstAt[end] = node;
    else this.next[this.lastAt[end]!] = node;
    this.lastAt[end] = node;
  }

  /** Where the pieces of the best way begin. */
  best(length: number): number[] {
    this.add(length, length, 0);
    const begins: number[] = [];
    for (let node = this.previous.at(-1)!; node > 0; node = this.previous[node]!) begins.push(this.begins[node]!);
    return begins.toReversed();
  }
}

/** The most likely pieces of a text (Viterbi). */
function divide(vocabulary: UnigramVocabulary, text: string): string[] {
  const { scores, slots, longest, unknown } = vocabulary;
  const lattice = new Lattice(text.length);
  for (let begin = 0; begin < text.length;) {
    const width = text.codePointAt(begin)! > MOST_UNITS ? 2 : 1;
    const most = Math.min(text.length, begin + longest[text.charCodeAt(begin)]!);
    let hash = HASH_START;
    let isKnown = false;
    for (let end = begin + 1; end <= most; end += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(end - 1), HASH_FACTOR);
      const id = splitsPair(text, end) ? -1 : slots[slotOf(vocabulary, hash, text, begin, end)]!;
      if (id === -1) continue;
      lattice.add(begin, end, scores[id]!);
      isKnown ||= end - begin === width;
    }
    if (!isKnown) lattice.add(begin, begin + width, scores[unknown]!);
    begin += width;
  }
  const begins = lattice.best(text.length);
  return begins.map((begin, index) => text.slice(begin, begins[index + 1] ?? text.length));
}

function splitsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
