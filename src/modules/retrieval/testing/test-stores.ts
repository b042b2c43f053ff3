import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { delay } from '#libs/common';
import { VectorStore, VectorStoreModule, type VectorStoreKind } from '#libs/vector-store';

/** The embedded store optimises a table that has rested for 3 s. */
const RESTED_MS = 5_000;

/** A vector store of its own, which a spec may close and open again. */
export class TestStore {
  private app: INestApplicationContext | undefined;

  constructor(
    readonly name: VectorStoreKind,
    private readonly url: string,
    private readonly directory: string,
    private readonly prefix: string,
  ) {}

  get store(): VectorStore {
    if (this.app === undefined) throw new Error('The store is not open.');
    return this.app.get(VectorStore);
  }

  async open(): Promise<this> {
    const engine = this.url === '' ? {} : { [this.name]: { urls: [this.url], indexPrefix: this.prefix } };
    const settings = { kind: this.name, directory: this.directory, ...engine };
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

/** Where the engines that TEST_ELASTICSEARCH_URL and TEST_OPENSEARCH_URL name are, and '' for the embedded store. */
const URLS = {
  embedded: '',
  elasticsearch: process.env['TEST_ELASTICSEARCH_URL'],
  opensearch: process.env['TEST_OPENSEARCH_URL'],
} as const;

/** The stores that a spec can open here, the embedded one first. */
export const TEST_STORES = (['embedded', 'elasticsearch', 'opensearch'] as const).filter(
  (name) => name === 'embedded' || (URLS[name] ?? '') !== '',
);

/** One of `TEST_STORES`, open; the embedded one lies in `directory`. */
export function openTestStore(name: VectorStoreKind, directory: string): Promise<TestStore> {
  return new TestStore(name, URLS[name] ?? '', directory, `kb-test-${randomBytes(4).toString('hex')}`).open();
}

/** All of `TEST_STORES`, open. */
export async function openTestStores(directory: string): Promise<TestStore[]> {
  const stores: TestStore[] = [];
  for (const name of TEST_STORES) stores.push(await openTestStore(name, directory));
  return stores;
}
