import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { BackgroundLoop, newId } from '#libs/common';
import { FileRemovals, StoreIntents, TenantRepository, UnitOfWork, type StoreIntent } from '#libs/database';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { GenerationCleaner, type UnwantedGeneration } from './generation-cleaner.js';
import { MetadataSync } from './metadata-sync.js';
import { systemContext } from './system-context.js';

const PAUSE_MS = 1_000;
const BATCH = 200;
const RETRY_SECONDS = 30;
/** While an attempt writes the generation. */
const WRITTEN_SECONDS = 10;

/**
 * Carries out what was recorded for the stores outside the database: the removal of generations that are neither shown nor being
 * written and of files without a document, and metadata that have to follow.
 */
@Injectable()
export class StoreCleaner extends TenantRepository implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly intents: StoreIntents,
    private readonly generations: GenerationCleaner,
    private readonly storage: ObjectStorage,
    private readonly removals: FileRemovals,
    private readonly metadata: MetadataSync,
    private readonly logger: PinoLogger,
  ) {
    super(unitOfWork);
    this.loop = new BackgroundLoop(
      PAUSE_MS,
      () => this.round(),
      (error) => logger.warn({ err: error }, 'store_cleaner.round_failed'),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<void> {
    const due = await this.intents.listDue(BATCH);
    await this.metadata.carryOut(due.filter(({ kind }) => kind === 'update_metadata'));
    await this.removeBlobs(due.filter(({ kind }) => kind === 'remove_blob'));
    for (const intents of byDataset(due.filter(({ kind }) => kind === 'remove_generation'))) {
      await this.attempt(intents, () => this.removeGenerations(intents));
    }
  }

  /** What fails is tried again later, all of it. */
  private async attempt(intents: readonly StoreIntent[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const [first] = intents;
      this.logger.warn({ err: error, kind: first?.kind, subject: first?.subject }, 'store_intent.failed');
      for (const { id } of intents) await this.intents.postpone(id, RETRY_SECONDS);
    }
  }

  /** Files stay while a backup runs. */
  private async removeBlobs(intents: readonly StoreIntent[]): Promise<void> {
    if (intents.length === 0) return;
    const done = await this.removals.tryRun(async () => {
      for (const intent of intents) await this.attempt([intent], () => this.removeBlob(intent));
    });
    if (done) return;
    for (const { id } of intents) await this.intents.postpone(id, RETRY_SECONDS);
  }

  private async removeBlob(intent: StoreIntent): Promise<void> {
    const ctx = systemContext(intent.tenantId, newId());
    const owner = await this.queryOne(ctx, `SELECT 1 FROM document_revisions WHERE blob_key = $1`, [intent.subject]);
    if (owner === undefined) await this.storage.delete(parseObjectKey(intent.subject));
    await this.intents.settle(intent.id);
  }

  /** All of one dataset. */
  private async removeGenerations(intents: readonly StoreIntent[]): Promise<void> {
    const ctx = systemContext(intents[0]!.tenantId, newId());
    const targets = intents.map((intent) => intent.payload as unknown as UnwantedGeneration);
    const written = await this.generations.remove(ctx, targets[0]!.datasetId, targets);
    const isWritten = (_: StoreIntent, n: number): boolean => written.has(targets[n]!);
    await this.intents.settleAll(intents.filter((intent, n) => !isWritten(intent, n)).map(({ id }) => id));
    for (const { id } of intents.filter(isWritten)) await this.intents.postpone(id, WRITTEN_SECONDS);
  }
}

function byDataset(intents: readonly StoreIntent[]): StoreIntent[][] {
  const groups = new Map<string, StoreIntent[]>();
  for (const intent of intents) {
    const key = `${intent.tenantId}/${JSON.stringify(intent.payload['datasetId'])}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [intent]);
    else group.push(intent);
  }
  return [...groups.values()];
}
