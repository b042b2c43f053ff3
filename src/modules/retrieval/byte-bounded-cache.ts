/** Keeps values up to a sum of bytes; what was not used for longest goes first. A value larger than the bound is not kept. */
export class ByteBoundedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** Sum of the bytes of what is kept. */
  get bytes(): number {
    return this.held;
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, bytes: number): void {
    this.remove(key);
    if (bytes > this.maxBytes) return;
    this.entries.set(key, { value, bytes });
    this.held += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.held <= this.maxBytes) break;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.held -= entry.bytes;
  }
}
