import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readBody } from './read-body.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const BOUNDS = { bytes: 100, seconds: 5 };

/** Whether the bytes are gone once they have been used; a function of its own, so that no register keeps them. */
async function readOnce(source: PassThrough): Promise<WeakRef<Buffer>> {
  const read = readBody(source, undefined, BOUNDS);
  source.end('twelve bytes');
  const bytes = await read;
  expect(bytes.toString()).toBe('twelve bytes');
  return new WeakRef(bytes);
}

describe('readBody', () => {
  it('leaves nothing of the body with a request that lives on, and something that hears its errors', async () => {
    const source = new PassThrough();
    const bytes = await readOnce(source);
    for (let n = 0; n < 5 && bytes.deref() !== undefined; n += 1) {
      await turn();
      collect();
    }
    expect(bytes.deref()).toBeUndefined();
    expect(() => source.emit('error', new Error('late'))).not.toThrow();
  });

  it('refuses what is longer than its bound, and what is cut off', async () => {
    const [long, cut] = [new PassThrough(), new PassThrough()];
    const refused = [readBody(long, undefined, BOUNDS), readBody(cut, undefined, BOUNDS)];
    long.write('x'.repeat(101));
    cut.destroy();
    await expect(refused[0]).rejects.toMatchObject({ code: 'http.body_too_large' });
    await expect(refused[1]).rejects.toMatchObject({ code: 'http.body_cut_off' });
  });
});
