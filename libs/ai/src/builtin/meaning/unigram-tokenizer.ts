import { NO_NODE, PieceTrie, ROOT } from './piece-trie.js';

/** What no piece of the vocabulary represents. */
export const UNKNOWN = 0;
/** Entries at the start of the vocabulary that represent no text. */
const SPECIAL = 6;
const SPACE = '▁';
/** How much less likely an unknown character is than the rarest piece; as SentencePiece has it. */
const UNKNOWN_PENALTY = 10;

/** A piece of text and the logarithm of its likelihood, in the order of their numbers. */
export type Vocabulary = readonly (readonly [piece: string, score: number | null])[];

/**
 * Divides texts into the likeliest pieces of a vocabulary (Kudo, "Subword Regularization", ACL 2018; Unigram of SentencePiece). Every space
 * begins a piece and none holds one inside, so each word is divided by itself.
 */
export class UnigramTokenizer {
  private readonly trie: PieceTrie;
  /** Logarithm of the likelihood by number of the piece. */
  private readonly scores: Float64Array;
  private readonly unknownScore: number;

  constructor(vocabulary: Vocabulary) {
    const pieces = new Map<string, number>();
    this.scores = new Float64Array(vocabulary.length);
    let previous = 0;
    for (const [id, [piece, score]] of vocabulary.entries()) {
      // Pieces are ordered by likelihood; one that has lost its own is as likely as the one before it.
      previous = score ?? previous;
      this.scores[id] = previous;
      if (id >= SPECIAL) pieces.set(piece, id);
    }
    this.trie = new PieceTrie(pieces);
    this.unknownScore = [...pieces.values()].reduce((least, id) => Math.min(least, this.scores[id]!), Infinity);
    this.unknownScore -= UNKNOWN_PENALTY;
  }

  /** Numbers of the pieces; unknown characters beside each other are one. White space of any kind is one space. */
  encode(text: string): number[] {
    const plain = text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
    if (plain === '') return [];
    const ids: number[] = [];
    const known = new Map<string, readonly number[]>();
    for (const word of plain.split(' ')) {
      const divided = known.get(word) ?? this.divide(SPACE + word);
      known.set(word, divided);
      for (const id of divided) if (id !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(id);
    }
    return ids;
  }

  /** Viterbi: the best way to each place is the best of those to an earlier place and one piece more. */
  private divide(word: string): number[] {
    const length = word.length;
    const best = new Float64Array(length + 1).fill(-Infinity);
    const from = new Int32Array(length + 1);
    const through = new Int32Array(length + 1);
    best[0] = 0;
    for (let start = 0; start < length; start += 1) {
      const before = best[start]!;
      if (before === -Infinity) continue;
      let node = this.trie.child(ROOT, word.charCodeAt(start));
      for (let end = start + 1; node !== NO_NODE; end += 1) {
        const id = this.trie.pieceAt(node);
        if (id >= 0 && before + this.scores[id]! > best[end]!) {
          best[end] = before + this.scores[id]!;
          from[end] = start;
          through[end] = id;
        }
        node = end < length ? this.trie.child(node, word.charCodeAt(end)) : NO_NODE;
      }
      const end = start + (word.codePointAt(start)! > 0xffff ? 2 : 1);
      if (before + this.unknownScore <= best[end]!) continue;
      best[end] = before + this.unknownScore;
      from[end] = start;
      through[end] = UNKNOWN;
    }
    const ids: number[] = [];
    for (let end = length; end > 0; end = from[end]!) ids.push(through[end]!);
    return ids.reverse();
  }
}
