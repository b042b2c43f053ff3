import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { delay } from '#libs/common';
import type { AdapterValues } from '#libs/config';
import { VECTOR_STORES, VectorStore, VectorStoreModule, type VectorStoreKind } from '#libs/vector-store';
import { testValuesOf } from '../../../../libs/config/src/testing/test-values.js';

/** The embedded store optimises a table that has rested for 3 s. */
const RESTED_MS = 5_000;

/** A vector store of its own, which a spec may close and open again. */
export class TestStore {
  private app: INestApplicationContext | undefined;
  private readonly values: AdapterValues;
  /** Empty for the embedded store. */
  private readonly url: string;

  constructor(
    readonly name: VectorStoreKind,
    given: AdapterValues,
    private readonly directory: string,
    private readonly prefix: string,
  ) {
    this.values = { ...given, VECTOR_STORE_INDEX_PREFIX: prefix };
    this.url = (given[`${name.toUpperCase()}_URL`] as readonly string[] | undefined)?.[0] ?? '';
  }

  get store(): VectorStore {
    if (this.app === undefined) throw new Error('The store is not open.');
    return this.app.get(VectorStore);
  }

  async open(): Promise<this> {
    const settings = { kind: this.name, directory: this.directory, values: this.values };
    this.app = await NestFactory.createApplicationContext(VectorStoreModule.forRoot(settings), { logger: false });
    return this;
  }

  async close(): Promise<void> {
    await this.app?.close();
    this.app = undefined;
  }

  /** Has the store merge its files, so that removed rows and rows outside of its indexes stop mattering. */
  async compact(): Promise<void> {
    if (this.url === '') return delay(RESTED_MS);
    for (const index of await this.indexes()) {
      const answer = await fetch(`${this.url}/${index}/_forcemerge?max_num_segments=1`, { method: 'POST' });
      if (!answer.ok) throw new Error(`The merge of ${index} answered ${answer.status}.`);
    }
  }

  /** Removes what lies on a server that others use too. */
  async removeIndexes(): Promise<void> {
    if (this.url === '') return;
    for (const index of await this.indexes()) await fetch(`${this.url}/${index}`, { method: 'DELETE' });
  }

  private async indexes(): Promise<string[]> {
    const listed = await fetch(`${this.url}/_cat/indices/${this.prefix}*?format=json&h=index&expand_wildcards=all`);
    return ((await listed.json()) as readonly { readonly index: string }[]).map(({ index }) => index);
  }
}

/** Settings of the stores that a spec can open here, those with servers where TEST_… names them. */
const VALUES = new Map(
  VECTOR_STORES.adapters.flatMap((definition) => {
    const values = testValuesOf(definition);
    return values === undefined ? [] : [[definition.kind, values] as const];
  }),
);

/** The stores that a spec can open here, the embedded one first. */
export const TEST_STORES: readonly VectorStoreKind[] = [...VALUES.keys()];

/** One of `TEST_STORES`, open; the embedded one lies in `directory`. */
export function openTestStore(name: VectorStoreKind, directory: string): Promise<TestStore> {
  return new TestStore(name, VALUES.get(name) ?? {}, directory, `kb-test-${randomBytes(4).toString('hex')}`).open();
}

/** All of `TEST_STORES`, open. */
export async function openTestStores(directory: string): Promise<TestStore[]> {
  const stores: TestStore[] = [];
  for (const name of TEST_STORES) stores.push(await openTestStore(name, directory));
  return stores;
}
