import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '#testing/until';
import { ApiClient, type UploadFile } from '../../../scripts/lib/api-client.js';
import type { DocumentRecord, Page } from '../../../scripts/lib/api-records.js';
import type { CrashDocument } from './crash-documents.js';
import { NpmService, type Victim } from './npm-service.js';
import { findDiscrepancies, queryUntil, stallDocument, STORE_WORK } from './stored-state.js';

/** Where a document is: its status, or its stage while it is `processing`. */
export type Position = 'pending' | 'parsing' | 'chunking' | 'embedding' | 'vector_write' | 'completed' | 'failed';

export interface Recovery {
  /** From `npm start` to /health/ready. */
  readonly readyMs: number;
  /** From `npm start` to the end of the last document. */
  readonly doneMs: number;
}

interface PositionRow {
  readonly status: string;
  readonly current_stage: string;
}

const POSITION = `SELECT status, current_stage FROM documents WHERE id = $1`;
/** Longer than a lease and the pauses of anyone who looks for ended ones. */
const STALL_MS = 3_000;
const RECOVERY_MS = 60_000;
const STATUS_POLL_MS = 20;
const SETTLE_POLL_MS = 200;
const AFTER_START_MS = 300;
const UNSETTLED = `SELECT id FROM tasks WHERE status = 'open' AND kind NOT IN (${STORE_WORK}) UNION ALL SELECT id FROM store_intents WHERE kind = 'remove_generation'`;
const TERMINAL = new Set(['completed', 'failed', 'quarantined', 'cancelled']);

/** One service that is killed again and again, and what it has acknowledged. */
export class CrashRun {
  readonly service: NpmService;
  readonly acknowledged = new Map<string, CrashDocument>();
  readonly recoveries: Recovery[] = [];
  private readonly checked = new Set<string>();
  /** How often a document must have completed, where that is more than once. */
  private readonly completions = new Map<string, number>();
  private client: ApiClient | undefined;
  private datasetIds: string[] = [];

  private constructor(service: NpmService) {
    this.service = service;
  }

  /** Starts a service with `datasets` datasets. Leases are short, so that a dead worker's documents are taken over soon. */
  static async begin(datasets = 1): Promise<CrashRun> {
    const service = await NpmService.create({
      INGESTION_LEASE_SECONDS: '2',
      WORKER_CONCURRENCY: '2',
      LOG_LEVEL: 'info',
    });
    const run = new CrashRun(service);
    try {
      await service.start();
      run.client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
      for (let n = 0; n < datasets; n++) run.datasetIds.push(await run.api.createDataset(`crash ${n}`));
    } catch (error) {
      await service.dispose();
      throw new Error(`The service could not be used.\n${service.logTail()}`, { cause: error });
    }
    return run;
  }

  get api(): ApiClient {
    return this.client!;
  }

  /** Starts it unless it runs, for instance because a test gave up after its kill. */
  async resume(): Promise<void> {
    if (!this.service.isRunning) await this.service.start();
  }

  /** Uploads one after the other, to the datasets in turn, and gives the ids; each is acknowledged. */
  async upload(documents: readonly CrashDocument[]): Promise<string[]> {
    const ids: string[] = [];
    for (const document of documents) {
      const datasetId = this.datasetIds[this.acknowledged.size % this.datasetIds.length]!;
      const { id } = await this.api.upload(datasetId, document satisfies UploadFile, { on_duplicate: 'keep_both' });
      this.acknowledged.set(id, document);
      ids.push(id);
    }
    return ids;
  }

  /** Begins an upload whose last bytes never come. Resolves when the service has most of the file; what becomes of it is not looked at. */
  async beginUpload(document: CrashDocument): Promise<void> {
    const boundary = 'crash-test-boundary';
    const part = (name: string, more = ''): string =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
    const sent = request(`${this.api.url}/documents/upload`, {
      method: 'POST',
      headers: { ...this.api.headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    });
    // The kill breaks the connection: that is the point.
    sent.on('error', () => undefined);
    sent.write(
      `${part('dataset_id')}\r\n${this.datasetIds[0]!}\r\n${part('file', `; filename="${document.name}"`)}\r\n`,
    );
    if (!sent.write(document.content)) await once(sent, 'drain');
  }

  /** Kills as soon as the document is seen there, or past it, and gives where it really was then. */
  async killAt(documentId: string, position: Position, victim: Victim): Promise<Position> {
    const query = { sql: POSITION, values: [documentId], pauseMs: 1 };
    const { dataDir } = this.service;
    await queryUntil<PositionRow>(dataDir, query, ([row]) => isReached(positionOf(row), position));
    await this.service.kill(victim);
    if (victim === 'service and database' || victim === 'database') return position;
    const [row] = await queryUntil<PositionRow>(dataDir, query, () => true);
    return positionOf(row);
  }

  /** Stalls the worker of a document there until its lease has run out and another one has taken over: then both go on. */
  async stallAt(documentId: string, position: Position): Promise<void> {
    const { dataDir } = this.service;
    const query = { sql: POSITION, values: [documentId], pauseMs: 1 };
    await queryUntil<PositionRow>(dataDir, query, ([row]) => isReached(positionOf(row), position));
    await stallDocument(dataDir, documentId, STALL_MS);
  }

  /**
   * Restarts what does not run, waits until every acknowledged document has come to an end, and gives what does not fit with
   * those that were not checked before, one line each.
   */
  async recover(): Promise<string[]> {
    const began = Date.now();
    if (!this.service.isRunning) this.service.launch();
    await this.service.untilReady();
    const readyMs = Date.now() - began;
    return this.untilDone(() => this.recoveries.push({ readyMs, doneMs: Date.now() - began }));
  }

  /** As `recover`, without the restart. */
  async untilDone(onDone: () => void = () => undefined): Promise<string[]> {
    const open = new Set(this.acknowledged.keys());
    const end = Date.now() + RECOVERY_MS;
    const look = async (): Promise<boolean> => {
      for (const id of open) {
        const { status } = await this.api.get<DocumentRecord>(`/documents/${id}/status`);
        if (TERMINAL.has(status)) open.delete(id);
      }
      return open.size === 0 || Date.now() > end;
    };
    await until(look, { withinMs: 2 * RECOVERY_MS, everyMs: STATUS_POLL_MS });
    onDone();
    const found = [...open].map((id) => `document ${id}: came to no end in ${RECOVERY_MS} ms`);
    for (const id of this.acknowledged.keys()) if (!this.checked.has(id)) found.push(...(await this.checkDocument(id)));
    return found;
  }

  /** Checks all acknowledged documents once more. */
  async checkAll(): Promise<string[]> {
    this.checked.clear();
    return this.untilDone();
  }

  /** Starts it and kills it again when it has come so far and a little further. */
  async killDuringStart(moment: 'first log line' | 'address' | 'ready', victim: Victim): Promise<void> {
    this.service.launch();
    if (moment === 'ready') await this.service.untilReady();
    else if (moment === 'address')
      await this.service.untilLogged((lines) => lines.some((line) => line.includes(this.api.url)));
    else await this.service.untilLogged((lines) => lines.length > 0);
    await wait(AFTER_START_MS);
    await this.service.kill(victim);
  }

  /** Asks for a reingest of up to `count` documents that are completed; what is accepted must complete once more. */
  async reingest(count: number): Promise<number> {
    const completed: string[] = [];
    for (const id of this.acknowledged.keys()) {
      if (completed.length === count) break;
      const { status } = await this.api.get<DocumentRecord>(`/documents/${id}/status`);
      if (status === 'completed') completed.push(id);
    }
    if (completed.length === 0) return 0;
    const { accepted } = await this.api.post<{ accepted: string[] }>('/documents/batch/reingest', {
      document_ids: completed,
    });
    for (const id of accepted) {
      this.completions.set(id, this.completionsOf(id) + 1);
      this.checked.delete(id);
    }
    return accepted.length;
  }

  /** Says how often a document must have completed by now. */
  expectCompletions(id: string, count: number): void {
    this.completions.set(id, count);
  }

  private completionsOf(id: string): number {
    return this.completions.get(id) ?? 1;
  }

  /** Waits until no work and no due removal is left, stops the service in order and compares its stores. */
  async compareStores(): Promise<string[]> {
    await queryUntil(this.service.dataDir, { sql: UNSETTLED, pauseMs: SETTLE_POLL_MS }, (left) => left.length === 0);
    await this.service.stop();
    return findDiscrepancies(this.service.dataDir, (id) => this.completionsOf(id));
  }

  private async checkDocument(id: string): Promise<string[]> {
    const { sentence } = this.acknowledged.get(id)!;
    this.checked.add(id);
    const found: string[] = [];
    const detail = await this.api.get<DocumentRecord>(`/documents/${id}`);
    const need = (holds: boolean, what: string): void => {
      if (!holds) found.push(`document ${id} (${detail.name}): ${what}`);
    };
    need(detail.status === 'completed' && detail.searchable, `${detail.status}, ${detail.error_message ?? 'no error'}`);
    const events = await this.api.get<{ items: readonly { event: string }[] }>(`/documents/${id}/timeline`);
    const completions = events.items.filter(({ event }) => event === 'completed').length;
    const expected = this.completionsOf(id);
    need(completions === expected, `${completions} times completed in its timeline, not ${expected} times`);
    const { total } = await this.api.get<Page<unknown>>(`/documents/${id}/chunks?limit=1`);
    need(total === detail.chunk_count, `${total} chunks listed, ${detail.chunk_count} counted`);
    const { results } = await this.api.search(sentence, [detail.dataset_id], { top_k: 20 });
    const hits = results.filter(({ text }) => text.includes(sentence));
    need(hits.length === 1 && hits[0]?.document_id === id, `its sentence was found ${hits.length} times`);
    need(new Set(results.map((hit) => hit.chunk_id)).size === results.length, 'a chunk was found twice');
    return found;
  }
}

function positionOf(row: PositionRow | undefined): Position {
  if (row === undefined) throw new Error('The document is gone.');
  return (row.status === 'processing' ? row.current_stage : row.status) as Position;
}

function isReached(now: Position, wanted: Position): boolean {
  return now === wanted || TERMINAL.has(now);
}
