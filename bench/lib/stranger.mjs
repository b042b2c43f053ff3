import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const THREAD = new URL('./stranger-thread.mjs', import.meta.url);

/**
 * Asks an address every 5 ms over a connection of its own, until it leaves; in a thread of its own, so that what the bench itself
 * does meanwhile is not measured.
 */
export class Stranger {
  #thread;

  constructor(thread) {
    this.#thread = thread;
  }

  /** Resolves when the first answer is there. */
  static async come(url) {
    const thread = new Worker(THREAD, { workerData: url });
    await once(thread, 'message');
    return new Stranger(thread);
  }

  /** The longest wait, in milliseconds. @throws what made asking fail */
  async leave() {
    const said = once(this.#thread, 'message');
    this.#thread.postMessage('leave');
    const [longest] = await said;
    return longest;
  }
}
