/** Lets bytes in while there is room, the first who asked first; what is larger than all of the room goes alone. */
export class ByteBudget {
  private used = 0;
  private readonly waiting: { bytes: number; enter: () => void }[] = [];

  constructor(private readonly room: number) {}

  /** Runs `work` with `bytes` of the room. Rejects with the signal's reason when that fires while waiting. */
  async run<T>(bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(bytes, this.room);
    await this.take(taken, signal);
    try {
      return await work();
    } finally {
      this.used -= taken;
      this.admit();
    }
  }

  private take(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const entry = { bytes, enter };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(signal.reason as Error);
        this.admit();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(entry);
      this.admit();
    });
  }

  private admit(): void {
    for (
      let next = this.waiting[0];
      next !== undefined && this.used + next.bytes <= this.room;
      next = this.waiting[0]
    ) {
      this.waiting.shift();
      this.used += next.bytes;
      next.enter();
    }
  }
}
