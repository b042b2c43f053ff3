import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { meterAdapter } from './meter-adapter.js';
import { Metrics } from './metrics.js';

class Store {
  private readonly rows = [1, 2, 3];
  readonly kind = 'store';
  closed = false;

  async count(): Promise<number> {
    return this.rows.length;
  }

  async fail(): Promise<void> {
    throw new Error('no');
  }

  async *list(): AsyncGenerator<number> {
    yield* this.rows;
  }

  async *breakOff(): AsyncGenerator<number> {
    yield 1;
    throw new Error('gone');
  }

  async read(): Promise<Readable> {
    return Readable.from(['a', 'b']);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

async function drain(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const one of source) all.push(one);
  return all;
}

describe('metered calls', () => {
  const metrics = new Metrics();
  const inner = new Store();
  const store = meterAdapter(inner, { port: 'vector_store', kind: 'double', unmetered: ['close'] }, metrics);
  const counted = async (operation: string, outcome: string): Promise<number> => {
    const labels = `dependency="vector_store",kind="double",operation="${operation}",outcome="${outcome}"`;
    const line = (await metrics.text()).split('\n').find((one) => one.includes(`_seconds_count{${labels}}`));
    return Number(line?.split(' ')[1] ?? 0);
  };

  it('answer as before and are counted with their outcome', async () => {
    expect(store).toBeInstanceOf(Store);
    expect(store.kind).toBe('store');
    expect(await store.count()).toBe(3);
    await expect(store.fail()).rejects.toThrow('no');
    expect(await counted('count', 'ok')).toBe(1);
    expect(await counted('fail', 'error')).toBe(1);
  });

  it('are counted once an iteration is over, left or broken, and not before', async () => {
    const listing = store.list();
    expect(await counted('list', 'ok')).toBe(0);
    expect(await drain(listing)).toEqual([1, 2, 3]);
    expect(await counted('list', 'ok')).toBe(1);
    for await (const row of store.list()) if (row === 1) break;
    expect(await counted('list', 'ok')).toBe(2);
    await expect(drain(store.breakOff())).rejects.toThrow('gone');
    expect(await counted('breakOff', 'error')).toBe(1);
  });

  it('are counted when a stream has ended, or its reader has seen enough', async () => {
    const stream = await store.read();
    expect(await counted('read', 'ok')).toBe(0);
    expect(await drain(stream)).toEqual(['a', 'b']);
    const left = await store.read();
    left.destroy();
    await expect.poll(() => counted('read', 'ok')).toBe(2);
    const broken = await store.read();
    broken.on('error', () => undefined);
    broken.destroy(new Error('disk'));
    await expect.poll(() => counted('read', 'error')).toBe(1);
  });

  it('leave out what is named', async () => {
    await store.close();
    expect(inner.closed).toBe(true);
    expect(await metrics.text()).not.toContain('operation="close"');
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

  it('that cannot be read are left out and named, and the others are there', async () => {
    const metrics = new Metrics();
    let isDown = true;
    const read = async (): Promise<{ labels: {}; value: number }[]> => {
      if (isDown) throw new Error('database down');
      return [{ labels: {}, value: 3 }];
    };
    metrics.addGauge('kb_documents', 'Documents by state.', [], read);
    metrics.addGauge('kb_component_up', 'Components.', [], async () => [{ labels: {}, value: 1 }]);
    const without = await metrics.text();
    expect(without).toContain('kb_metrics_unreadable{metric="kb_documents"} 1');
    expect(without).toContain('kb_metrics_unreadable{metric="kb_component_up"} 0');
    expect(without).toContain('kb_component_up 1');
    expect(without).not.toMatch(/^kb_documents/m);
    isDown = false;
    const text = await metrics.text();
    expect(text).toContain('kb_documents 3');
    expect(text).toContain('kb_metrics_unreadable{metric="kb_documents"} 0');
  });

  it('say which version runs as what', async () => {
    const metrics = new Metrics();
    metrics.describeBuild({ version: '1.2.3', role: 'api' });
    expect(await metrics.text()).toContain(`kb_build_info{version="1.2.3",role="api",node="${process.version}"} 1`);
  });
});
