import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const ASK_EVERY_MS = 5;

/** Asks an address every 5 ms over a connection of its own, until it leaves. */
export class Stranger {
  #url;
  #longest = 0;
  #isLeaving = false;
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #asking;

  constructor(url) {
    this.#url = url;
    this.#asking = this.#askOn();
  }

  /** The longest wait, in milliseconds. */
  async leave() {
    this.#isLeaving = true;
    await this.#asking;
    this.#agent.destroy();
    return this.#longest;
  }

  async #askOn() {
    while (!this.#isLeaving) {
      const began = performance.now();
      await this.#ask();
      this.#longest = Math.max(this.#longest, performance.now() - began);
      await wait(ASK_EVERY_MS);
    }
  }

  #ask() {
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { agent: this.#agent }, (answer) => {
        answer.resume().once('end', resolve).once('error', reject);
      });
      sent.once('error', reject).end();
    });
  }
}
