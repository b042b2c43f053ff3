import { describe, expect, it } from 'vitest';
import { meterCalls } from './meter-calls.js';
import { Metrics } from './metrics.js';

class Store {
  private readonly rows = [1, 2, 3];
  readonly kind = 'store';

  async count(): Promise<number> {
    return this.rows.length;
  }

  async fail(): Promise<void> {
    throw new Error('no');
  }

  async *list(): AsyncGenerator<number> {
    yield* this.rows;
  }
}

describe('metered calls', () => {
  it('answer as before and are counted with their outcome', async () => {
    const metrics = new Metrics();
    const store = meterCalls(new Store(), 'vector_store', ['count', 'fail'], metrics);
    expect(store).toBeInstanceOf(Store);
    expect(store.kind).toBe('store');
    expect(await store.count()).toBe(3);
    await expect(store.fail()).rejects.toThrow('no');
    const listed: number[] = [];
    for await (const row of store.list()) listed.push(row);
    expect(listed).toEqual([1, 2, 3]);
    const text = await metrics.text();
    expect(text).toContain(
      'kb_dependency_call_duration_seconds_count{dependency="vector_store",operation="count",outcome="ok"} 1',
    );
    expect(text).toContain(
      'kb_dependency_call_duration_seconds_count{dependency="vector_store",operation="fail",outcome="error"} 1',
    );
  });
});

describe('gauges', () => {
  it('are read at each scrape and forget labels that are gone', async () => {
    const metrics = new Metrics();
    let state = 'pending';
    metrics.addGauge('kb_documents', 'Documents by state.', ['status'], async () => [
      { labels: { status: state }, value: 2 },
    ]);
    expect(await metrics.text()).toContain('kb_documents{status="pending"} 2');
    state = 'completed';
    const text = await metrics.text();
    expect(text).toContain('kb_documents{status="completed"} 2');
    expect(text).not.toContain('status="pending"');
  });

  it('that cannot be read fail the scrape', async () => {
    const metrics = new Metrics();
    metrics.addGauge('kb_documents', 'Documents by state.', [], () => Promise.reject(new Error('database down')));
    await expect(metrics.text()).rejects.toThrow('database down');
  });
});
