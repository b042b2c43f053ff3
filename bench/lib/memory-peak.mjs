/** The most memory that processes take together above what they took at the beginning. */
import { memoryOf } from '../../scripts/lib/process-memory.ts';

const POLL_MS = 200;

export class MemoryPeak {
  #findRoots;
  #idle = 0;
  #most = 0;
  #isStopped = false;
  #running = Promise.resolve();

  constructor(findRoots) {
    this.#findRoots = findRoots;
  }

  /** Measures the present state as idle and goes on measuring. `findRoots` gives the ids of the processes to add up. */
  static async watch(findRoots) {
    const peak = new MemoryPeak(findRoots);
    peak.#idle = await peak.#measure();
    peak.#running = peak.#poll();
    return peak;
  }

  /** Ends the measuring. In bytes, shared pages counted once; `above` is the peak without idle. */
  async stop() {
    this.#isStopped = true;
    await this.#running;
    return { idle: this.#idle, above: Math.max(0, this.#most - this.#idle) };
  }

  async #measure() {
    return (await memoryOf(await this.#findRoots())).proportional;
  }

  async #poll() {
    while (!this.#isStopped) {
      this.#most = Math.max(this.#most, await this.#measure());
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
