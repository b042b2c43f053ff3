/** Largest answer of a provider that is read, in bytes: 2,048 vectors of 3,072 dimensions as JSON are less. */
export const MOST_ANSWER_BYTES = 128 * 1024 * 1024;

/** Counts what comes of one answer. */
export class AnswerBytes {
  private bytes = 0;

  constructor(private readonly most: number) {}

  /** @throws when this piece goes beyond the bound */
  add(piece: Uint8Array): void {
    this.bytes += piece.byteLength;
    if (this.bytes > this.most) throw new Error(`the answer is longer than ${this.most} bytes`);
  }
}

/**
 * A `fetch` for SDKs that read an answer as a whole. It follows no redirects, which would send texts and key elsewhere, possibly to addresses of
 * the own network. It fails when an answer is longer than the limit, counted after decompression.
 */
export function boundedFetch(most: number = MOST_ANSWER_BYTES): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const count = new AnswerBytes(most);
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        count.add(piece);
        controller.enqueue(piece);
      },
    });
    return new Response(body.pipeThrough(counted), { status, statusText, headers });
  };
}
