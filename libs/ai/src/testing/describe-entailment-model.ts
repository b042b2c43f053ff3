import { describe, expect, it } from 'vitest';
import type { EntailmentModel } from '../entailment-model.port.js';

const SAYS = 'The pump must be serviced every 500 hours by a trained technician.';
const OTHER = 'Invoices are paid within thirty days.';
const STATEMENT = 'The pump is serviced every 500 hours.';

/** What every entailment model does; `make` gives a fresh one. */
export function describeEntailmentModel(name: string, make: () => EntailmentModel | Promise<EntailmentModel>): void {
  describe(`${name} as an EntailmentModel`, () => {
    it('gives a probability for each text, in their order', async () => {
      const model = await make();
      const [says, other, empty] = await model.entail(STATEMENT, [SAYS, OTHER, '']);
      expect(says).toBeGreaterThan(0.5);
      expect(says).toBeLessThanOrEqual(1);
      for (const low of [other, empty]) {
        expect(low).toBeLessThan(0.5);
        expect(low).toBeGreaterThanOrEqual(0);
      }
      expect(await model.entail(STATEMENT, [OTHER, SAYS])).toEqual([other, says]);
    });

    it('reads the whole of a long text', async () => {
      const [found] = await (
        await make()
      ).entail(STATEMENT, [`${`${OTHER} `.repeat(60)}${SAYS} ${`${OTHER} `.repeat(60)}`]);
      expect(found).toBeGreaterThan(0.5);
    });

    it('gives nothing for no texts', async () => {
      expect(await (await make()).entail(STATEMENT, [])).toEqual([]);
    });

    it('refuses more texts than its limit', async () => {
      const model = await make();
      const texts = Array.from({ length: model.descriptor.maxTexts + 1 }, () => 'x');
      await expect(model.entail('x', texts)).rejects.toMatchObject({ code: 'ai.batch_too_large' });
    });

    it('rejects with the reason of a signal that is aborted', async () => {
      const reason = new Error('no longer wanted');
      const signal = AbortSignal.abort(reason);
      await expect((await make()).entail(STATEMENT, [SAYS], { signal })).rejects.toBe(reason);
    });
  });
}
