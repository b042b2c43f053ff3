/** Counts what one request reads against its limits of time and UTF-16 code units. */
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
