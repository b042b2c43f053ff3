import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient } from '../../../scripts/lib/api-client.js';
import { ServiceProcess } from '../../../scripts/lib/service-process.js';
import { crashDocument } from '../../crash/support/crash-documents.js';
import { queryUntil } from '../../crash/support/stored-state.js';
import { ProviderProcess, type ProviderFault } from '../../support/provider-process.js';

const DOCUMENT_BYTES = 4_000;
/** The provider takes so long while it is well, so that there is work left when it is not. */
const WELL: ProviderFault = { kind: 'slow', ms: 150 };
/** Vectors that are there before the provider fails. */
const BEFORE_THE_TROUBLE = 50;
const COMPLETED_MS = 10 * 60_000;
const VECTORS = 'SELECT c.body FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id';
const STATES = 'SELECT status, count(*)::int AS documents FROM documents GROUP BY status';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A service whose provider of embeddings fails for a while, and that is killed meanwhile. `dispose` must be called. */
export class ProviderDrill {
  private readonly committed = new Set<string>();
  private readonly ids: string[] = [];
  private readonly doubled: string[] = [];

  private readonly double: ProviderProcess;
  private readonly service: ServiceProcess;
  private readonly api: ApiClient;
  private readonly print: (line: string) => void;

  private constructor(double: ProviderProcess, service: ServiceProcess, api: ApiClient, print: (line: string) => void) {
    this.double = double;
    this.service = service;
    this.api = api;
    this.print = print;
  }

  static async begin(print: (line: string) => void): Promise<ProviderDrill> {
    const double = await ProviderProcess.start('openai');
    const models = {
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_MODEL: 'double-embed',
      EMBEDDING_DIMENSIONS: '64',
      OPENAI_BASE_URL: double.baseUrl,
      OPENAI_API_KEY: 'sk-of-the-drill',
    };
    // Nothing but the documents keeps vectors: a cache would hide that a text is asked for again.
    const settings = { INGESTION_LEASE_SECONDS: '5', EMBEDDING_BATCH_SIZE: '4', EMBEDDING_CACHE_ROWS: '0' };
    const service = await ServiceProcess.start({ settings: { ...models, ...settings } });
    const api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    return new ProviderDrill(double, service, api, print);
  }

  /** Uploads documents and resolves when some of their vectors are committed. */
  async upload(documents: number): Promise<void> {
    await this.double.always(WELL);
    const datasetId = await this.api.createDataset('Drill');
    for (let n = 0; n < documents; n += 1) {
      const { id } = await this.api.upload(datasetId, crashDocument(`drill ${n}`, DOCUMENT_BYTES));
      this.ids.push(id);
    }
    await this.query<{ body: string }>(VECTORS, (found) => found.length >= BEFORE_THE_TROUBLE);
    this.print(`${documents} documents uploaded, some vectors committed`);
  }

  /** Everything fails like this for so long; in the middle the service is killed and started again. */
  async failFor(seconds: number, fault: ProviderFault & { readonly status?: number }): Promise<void> {
    await this.double.always(fault);
    await wait(seconds * 500);
    await this.kill();
    await wait(seconds * 500);
    this.print(`the provider has answered ${fault.status} for ${seconds} s: ${await this.states()}`);
  }

  /** The provider is well again: what went wrong, nothing when all is as it should be. */
  async recover(): Promise<string[]> {
    await this.double.always(WELL);
    const statuses: string[] = [];
    for (const id of this.ids) {
      const { status } = await this.api.pollUntilTerminal(id, { timeoutMs: COMPLETED_MS, intervalMs: 200 });
      statuses.push(status);
    }
    await this.lookForDoubles();
    const texts = new Set((await this.query<{ body: string }>(VECTORS)).map(({ body }) => body));
    const completed = statuses.filter((status) => status === 'completed').length;
    this.print(
      `${completed} of ${statuses.length} documents completed, ${texts.size} texts have vectors, ${this.committed.size} had before the last kill, ` +
        `${this.doubled.length} of those were asked for again`,
    );
    return [
      ...(completed === statuses.length ? [] : [`${statuses.length - completed} documents are not completed`]),
      ...this.doubled.map((text) => `asked for again although its vector was there: ${text.slice(0, 60)}`),
    ];
  }

  async dispose(): Promise<void> {
    await this.service.dispose();
    await this.double.stop();
  }

  private async kill(): Promise<void> {
    await this.service.kill('SIGKILL');
    await this.lookForDoubles();
    for (const { body } of await this.query<{ body: string }>(VECTORS)) this.committed.add(hashOf(body));
    this.print(`killed with ${this.committed.size} texts whose vectors are committed: ${await this.states()}`);
    await this.double.forgetRequests();
    await this.service.start();
  }

  /** What the provider was asked since the last kill, against what was committed then. */
  private async lookForDoubles(): Promise<void> {
    const asked = await this.double.textsToEmbed();
    this.doubled.push(...asked.filter((text) => this.committed.has(hashOf(text))));
  }

  private async states(): Promise<string> {
    const states = await this.query<{ status: string; documents: number }>(STATES);
    return states.map(({ status, documents }) => `${documents} ${status}`).join(', ');
  }

  private query<T>(sql: string, isEnough: (found: readonly T[]) => boolean = () => true): Promise<readonly T[]> {
    return queryUntil<T>(join(this.service.folder, 'data'), { sql, pauseMs: 50 }, isEnough);
  }
}
