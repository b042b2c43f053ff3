import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, readSse } from '../../../scripts/lib/api-client.js';
import { ServiceProcess } from '../../../scripts/lib/service-process.js';
import { documentedLocations, Nginx } from '../../support/nginx.js';
import { ExternalDatabase } from './external-database.js';

const SENTENCE = 'The pump in hall three is serviced every 500 hours by a technician.';
const STREAM_EVENTS = 10;
const LOOPS = { search: 4, upload: 2, stream: 3 } as const;
type Kind = keyof typeof LOOPS;

export interface Counted {
  done: number;
  /** What went wrong, a line each. */
  readonly failed: string[];
}

export interface Load {
  readonly counts: Readonly<Record<Kind, Counted>>;
  /** Resolves when what was under way has ended. */
  stop(): Promise<void>;
}

/**
 * Two services on one database behind nginx. Each has files and vectors of its own, so what becomes of uploaded documents is not looked
 * at, and searches are those by words. `dispose` must be called.
 */
export class RollingDrill {
  private readonly folder: string;
  private readonly database: ExternalDatabase;
  private readonly services: ServiceProcess[] = [];
  private readonly print: (line: string) => void;
  private nginx: Nginx | undefined;
  private client: ApiClient | undefined;
  private datasetId = '';
  private uploadsId = '';

  private constructor(folder: string, database: ExternalDatabase, print: (line: string) => void) {
    this.folder = folder;
    this.database = database;
    this.print = print;
  }

  static async begin(print: (line: string) => void): Promise<RollingDrill> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-rolling-')));
    await chmod(folder, 0o711);
    const database = await ExternalDatabase.start(join(folder, 'database'));
    const drill = new RollingDrill(folder, database, print);
    try {
      await drill.prepare();
    } catch (error) {
      await drill.dispose();
      throw error;
    }
    return drill;
  }

  /** Begins the loops; each sends the next request when the one before has been answered. */
  load(): Load {
    const counts = { search: counted(), upload: counted(), stream: counted() };
    const stopping = new AbortController();
    const one: Record<Kind, () => Promise<void>> = {
      search: () => this.search(),
      upload: () => this.upload(),
      stream: () => this.stream(),
    };
    const loops = (Object.keys(LOOPS) as Kind[]).flatMap((kind) =>
      Array.from({ length: LOOPS[kind] }, () => repeat(one[kind], counts[kind], stopping.signal)),
    );
    return {
      counts,
      stop: async () => {
        stopping.abort();
        await Promise.all(loops);
      },
    };
  }

  /** Ends one of the two by SIGTERM, and starts it again. */
  async restart(index: number): Promise<void> {
    const service = this.services[index]!;
    const began = Date.now();
    await service.stop();
    const stopped = Date.now() - began;
    await service.start();
    this.print(`process ${index + 1}: stopped in ${stopped} ms, ready again after ${Date.now() - began} ms`);
  }

  /** What nginx complained of, but that no one listened: then it asks the other process. */
  async complaints(): Promise<readonly string[]> {
    const lines = ((await this.nginx?.errors()) ?? '').split('\n');
    return lines.filter((line) => line !== '' && !line.includes('Connection refused'));
  }

  async dispose(): Promise<void> {
    await this.nginx?.stop();
    for (const service of this.services) await service.dispose();
    await this.database.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    const admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
    const settings = {
      DATABASE_URL: this.database.url,
      DATABASE_POOL_SIZE: '8',
      AUTH_JWT_KEY: 'a key for the drill that both services share',
      BOOTSTRAP_ADMIN_EMAIL: admin.email,
      BOOTSTRAP_ADMIN_PASSWORD: admin.password,
      TRUST_PROXY: '127.0.0.1',
    };
    for (let n = 0; n < 2; n += 1) {
      this.services.push(await ServiceProcess.start({ settings }));
      if (n === 0) await this.fill(admin);
    }
    const servers = this.services.map(({ url }) => `server ${new URL(url).host} max_fails=0;`).join(' ');
    const upstream = `upstream knowledge_base { ${servers} keepalive 32; }`;
    this.nginx = await Nginx.start('http://knowledge_base/api/v1', await documentedLocations(), '', upstream);
    this.client = await new ApiClient(this.nginx.url).login(admin.email, admin.password);
    this.print('two processes are ready behind nginx');
  }

  /** While there is one process, which has the file. */
  private async fill({ email, password }: { readonly email: string; readonly password: string }): Promise<void> {
    const first = await new ApiClient(this.services[0]!.url).login(email, password);
    this.datasetId = await first.createDataset('Pumps');
    this.uploadsId = await first.createDataset('Uploads');
    const { id } = await first.upload(this.datasetId, { name: 'pump.txt', content: SENTENCE });
    await first.pollUntilTerminal(id);
  }

  private async search(): Promise<void> {
    const { results } = await this.client!.search('pump serviced', [this.datasetId], { search_method: 'keyword' });
    if (results.length !== 1) throw new Error(`a search found ${results.length} chunks`);
  }

  private async upload(): Promise<void> {
    const content = `${randomBytes(20).toString('hex')} ${SENTENCE}\n`.repeat(2_000);
    await this.client!.upload(this.uploadsId, { name: 'upload.txt', content });
  }

  private async stream(): Promise<void> {
    const answer = await fetch(`${this.client!.url}/chat/stream-test`, { headers: this.client!.headers });
    if (answer.status !== 200) throw new Error(`a stream answered ${answer.status}: ${await answer.text()}`);
    let events = 0;
    for await (const event of readSse(answer.body!)) events += event.event === 'message' ? 1 : 0;
    if (events !== STREAM_EVENTS) throw new Error(`a stream had ${events} events`);
  }
}

function counted(): Counted {
  return { done: 0, failed: [] };
}

async function repeat(work: () => Promise<void>, count: Counted, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      await work();
      count.done += 1;
    } catch (error) {
      const { message, cause } = error as Error;
      count.failed.push(`${new Date().toISOString()} ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
    }
  }
}
