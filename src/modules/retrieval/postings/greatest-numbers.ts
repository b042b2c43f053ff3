/** Collects the greatest of the positive numbers that it is given, up to a fixed count. */
export class GreatestNumbers {
  /** A heap: no number is greater than the two below it. */
  private readonly heap: Float64Array;
  private size = 0;

  constructor(private readonly limit: number) {
    this.heap = new Float64Array(limit);
  }

  /** What a number must exceed to be kept: the least that is kept, 0 while there is room. */
  get least(): number {
    return this.limit > 0 && this.size === this.limit ? this.heap[0]! : 0;
  }

  add(value: number): void {
    if (value <= this.least || this.limit === 0) return;
    if (this.size < this.limit) this.rise(value);
    else this.sink(value);
  }

  private rise(value: number): void {
    const { heap } = this;
    let at = this.size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (heap[above]! <= value) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = value;
  }

  private sink(value: number): void {
    const { heap, size } = this;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && heap[below + 1]! < heap[below]!) below += 1;
      if (heap[below]! >= value) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = value;
  }
}
