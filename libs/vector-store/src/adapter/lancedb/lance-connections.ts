import type { Connection, Session } from '@lancedb/lancedb';
import type { Lance } from './lance-module.js';
import type { LanceDbSettings } from './lancedb-options.js';

/** What a connection needs to know. */
export type CacheSizes = Pick<LanceDbSettings, 'directory' | 'indexCacheBytes' | 'metadataCacheBytes'>;

/** A connection with what tells how much its caches hold. */
interface BoundedConnection {
  readonly connection: Connection;
  readonly session: Session;
}

/**
 * Connections to the folder of a store: one for tables with small indexes, whose cache is small because commits fill it with what is of no use after the
 * next ones, and one for the others, made when the first of them is opened.
 */
export class LanceConnections {
  private large: Promise<BoundedConnection> | undefined;

  private constructor(
    private readonly lance: Lance,
    private readonly settings: LanceDbSettings,
    /** Of tables with small indexes. */
    readonly small: Connection,
  ) {}

  static async open(lance: Lance, settings: LanceDbSettings): Promise<LanceConnections> {
    const { smallIndexCacheBytes: indexCacheBytes } = settings;
    const { connection } = await connectBounded(lance, { ...settings, indexCacheBytes });
    return new LanceConnections(lance, settings, connection);
  }

  /** Whether a table with indexes of this size belongs to the large cache. */
  isLarge(indexBytes: number): boolean {
    return indexBytes > this.settings.smallIndexBytes;
  }

  async of(isLarge: boolean): Promise<Connection> {
    if (!isLarge) return this.small;
    this.large ??= connectBounded(this.lance, this.settings).catch((error: unknown) => {
      this.large = undefined;
      throw error;
    });
    return (await this.large).connection;
  }

  async close(): Promise<void> {
    this.small.close();
    const large = await this.large?.catch(() => undefined);
    large?.connection.close();
  }
}

/**
 * A connection to the folder whose caches hold no more than the settings say. The session is an option: as a third argument, which the types
 * of LanceDB allow, it is ignored, and caches of gigabytes are filled.
 */
export async function connectBounded(lance: Lance, settings: CacheSizes): Promise<BoundedConnection> {
  const session = new lance.Session(BigInt(settings.indexCacheBytes), BigInt(settings.metadataCacheBytes));
  return { connection: await lance.connect(settings.directory, { session }), session };
}
