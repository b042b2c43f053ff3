const NO_PIECE = -1;
/** The node that does not exist. */
export const NO_NODE = 0;
/** The node of the empty text. */
export const ROOT = 1;

/**
 * A trie of the pieces of a vocabulary, so that no substring is made to look a piece up. Its edges lie in a hash table with open
 * addressing, by node and UTF-16 unit. `local/unigram-vocabulary.ts` hashes whole pieces instead: it is shared by threads, takes less
 * memory, and took twice as long here.
 */
export class PieceTrie {
  private readonly mask: number;
  private readonly parents: Int32Array;
  private readonly units: Uint16Array;
  private readonly children: Int32Array;
  /** By node the number of the piece that ends there. */
  private readonly pieces: Int32Array;

  /** Pieces with their numbers. */
  constructor(pieces: ReadonlyMap<string, number>) {
    const most = [...pieces.keys()].reduce((sum, piece) => sum + piece.length, ROOT + 1);
    const capacity = 2 ** Math.ceil(Math.log2(2 * most));
    this.mask = capacity - 1;
    this.parents = new Int32Array(capacity);
    this.units = new Uint16Array(capacity);
    this.children = new Int32Array(capacity);
    this.pieces = new Int32Array(most).fill(NO_PIECE);
    let last = ROOT;
    for (const [piece, number] of pieces) {
      let node = ROOT;
      for (let at = 0; at < piece.length; at += 1) {
        const unit = piece.charCodeAt(at);
        const edge = this.edgeOf(node, unit);
        if (this.parents[edge] === NO_NODE) {
          last += 1;
          this.parents[edge] = node;
          this.units[edge] = unit;
          this.children[edge] = last;
        }
        node = this.children[edge]!;
      }
      this.pieces[node] = number;
    }
  }

  /** The child of a node by the next UTF-16 unit of a text; `NO_NODE` where no piece goes on with it. */
  child(node: number, unit: number): number {
    return this.children[this.edgeOf(node, unit)]!;
  }

  /** The number of the piece that ends at a node; -1 where none does. */
  pieceAt(node: number): number {
    return this.pieces[node]!;
  }

  /** Where an edge lies in the table, or the free place where it would lie. */
  private edgeOf(node: number, unit: number): number {
    let edge = ((Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7) & this.mask;
    while (this.parents[edge] !== NO_NODE && (this.parents[edge] !== node || this.units[edge] !== unit))
      edge = (edge + 1) & this.mask;
    return edge;
  }
}
