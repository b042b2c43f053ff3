/** Cuts text that arrives in pieces before the first of some sequences. */
export class StopSequences {
  /** The end of the text so far, where it may be the beginning of a sequence. */
  private held = '';

  constructor(private readonly sequences: readonly string[]) {}

  /** Takes the next piece and gives the text that is certain; `stopped` when a sequence has ended it. */
  push(piece: string): { readonly text: string; readonly stopped: boolean } {
    const text = this.held + piece;
    const at = this.sequences.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
    if (at.length > 0) return { text: text.slice(0, Math.min(...at)), stopped: true };
    const length = text.length - this.undecidedLength(text);
    this.held = text.slice(length);
    return { text: text.slice(0, length), stopped: false };
  }

  /** The rest, when no more pieces come. */
  flush(): string {
    return this.held;
  }

  private undecidedLength(text: string): number {
    const longest = Math.max(0, ...this.sequences.map((sequence) => sequence.length - 1));
    for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
      const end = text.slice(-length);
      if (this.sequences.some((sequence) => sequence.startsWith(end))) return length;
    }
    return 0;
  }
}
