import { Sha256 } from './sha256';

/** A file whose sum is asked for; the answer has the same id. */
export interface SumRequest {
  readonly id: number;
  readonly file: File;
}

export interface SumAnswer {
  readonly id: number;
  /** Undefined where the file cannot be read any more. */
  readonly sum: string | undefined;
}

/** Read at once by the sum of our own. */
const SLICE_BYTES = 1_048_576;
/** Up to this size a file is read whole for the browser's own sum, which is quicker, where the page may use it. */
const WHOLE_BYTES = 33_554_432;
const subtle = crypto.subtle as SubtleCrypto | undefined;

async function sumOf(file: File): Promise<string | undefined> {
  try {
    if (subtle !== undefined && file.size <= WHOLE_BYTES) {
      const bytes = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
      return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    const sum = new Sha256();
    for (let from = 0; from < file.size; from += SLICE_BYTES) {
      sum.update(new Uint8Array(await file.slice(from, from + SLICE_BYTES).arrayBuffer()));
    }
    return sum.hex();
  } catch {
    // It was moved or changed. The upload reads it as well, and says so.
    return undefined;
  }
}

self.onmessage = async ({ data }: MessageEvent<SumRequest>) => {
  self.postMessage({ id: data.id, sum: await sumOf(data.file) } satisfies SumAnswer);
};
