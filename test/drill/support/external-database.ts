import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** As much of libs/database as this needs: it is the built one, which plain Node can load. */
interface DatabaseLibrary {
  startEmbeddedPostgres(options: {
    dataDirectory: string;
    log: () => void;
  }): Promise<{ ownerUrl: string; stop(): Promise<void> }>;
}

/** A PostgreSQL that the service knows by DATABASE_URL only, with one login as the documents advise. */
export class ExternalDatabase {
  readonly url: string;
  readonly stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.stop = stop;
  }

  static async start(folder: string): Promise<ExternalDatabase> {
    await mkdir(folder);
    await chmod(folder, 0o711);
    const { startEmbeddedPostgres } = (await import(
      new URL('../../../dist/libs/database/src/index.js', import.meta.url).href
    )) as DatabaseLibrary;
    const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
    return new ExternalDatabase(server.ownerUrl, () => server.stop());
  }
}
