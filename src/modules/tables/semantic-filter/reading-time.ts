/** What one request may read: for so long, and this many UTF-16 units. Counts; it belongs to one request. */
export class ReadingBounds {
  private readonly ends: number;
  private left: number;

  constructor(milliseconds: number, chars: number) {
    this.ends = performance.now() + milliseconds;
    this.left = chars;
  }

  get isUsedUp(): boolean {
    return this.left <= 0 || performance.now() >= this.ends;
  }

  take(chars: number): void {
    this.left -= chars;
  }
}
