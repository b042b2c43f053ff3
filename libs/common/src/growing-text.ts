/** Pieces that are joined at once. */
const PIECES = 64;

/**
 * A text that grows by small pieces and is read at its end. A string that is added to keeps an object for each piece, which for words that
 * a model writes is several times the text.
 */
export class GrowingText {
  private whole = '';
  private pieces: string[] = [];
  private count = 0;

  /** UTF-16 code units. */
  get length(): number {
    return this.count;
  }

  push(piece: string): void {
    if (piece === '') return;
    this.count += piece.length;
    this.pieces.push(piece);
    if (this.pieces.length >= PIECES) this.join();
  }

  toString(): string {
    this.join();
    return this.whole;
  }

  /** Unlike an addition, a join makes one flat string. */
  private join(): void {
    if (this.pieces.length === 0) return;
    this.whole = [this.whole, ...this.pieces].join('');
    this.pieces = [];
  }
}
