import { Problem } from './problem';

/** The text of an answer, piece by piece. Not every browser lets a stream be iterated. */
export async function* textOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      // The connection is gone, and with it the rest of the answer.
      throw signal.aborted ? error : new Problem(0, undefined);
    });
    if (done) return;
    yield value;
  }
}
