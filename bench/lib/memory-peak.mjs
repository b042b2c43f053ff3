/** The most memory that processes take together above what they took at the beginning. */
import { memoryOf } from '../../scripts/lib/process-memory.ts';

const POLL_MS = 200;

export class MemoryPeak {
  #findRoots;
  #idle = { proportional: 0, processes: [] };
  #most = { proportional: 0, processes: [] };
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

  /** Ends the measuring. In bytes, shared pages counted once; `above` is the peak without idle, `processes` those of the peak. */
  async stop() {
    this.#isStopped = true;
    await this.#running;
    const { proportional: most, processes } = this.#most;
    const idle = this.#idle.proportional;
    return { idle, above: Math.max(0, most - idle), processes };
  }

  async #measure() {
    return memoryOf(await this.#findRoots());
  }

  async #poll() {
    while (!this.#isStopped) {
      const now = await this.#measure();
      if (now.proportional > this.#most.proportional) this.#most = now;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
