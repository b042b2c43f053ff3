import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '#testing/until';
import { ServiceProcess } from '../../../scripts/lib/service-process.js';
import { ApiClient, type Citation } from '../../support/api-client.js';
import { findBrokenLinks, readLines, readManifest } from './backup-files.js';
import {
  addBranch,
  readingKey,
  searchAll,
  statusOf,
  uploadTexts,
  waitUntilIdle,
  WHOLE_DRILL_MS,
  type Branch,
  type Found,
} from './drill-library.js';
import { ExternalDatabase } from './external-database.js';

const CLI = fileURLToPath(new URL('../../../dist/src/cli/', import.meta.url));
const TENANTS = ['north', 'south', 'west'];
const QUESTIONS = 100;
const KEY = 'k'.repeat(40);
/** A restore promises a reindex: a row more than the backup has. */
const PROMISED = ['tasks'];

/** What a user sees, to be seen again after the restore. */
interface Looks {
  readonly found: readonly (readonly Found[])[];
  readonly citation: Citation;
  readonly cited: string;
  readonly statuses: readonly string[];
}

/** A service that is backed up, restored elsewhere and restored back. */
export class BackupDrill {
  rows = 0;
  files = 0;
  private readonly branches: Branch[] = [];
  private readonly keys: ApiClient[] = [];
  /** Quarantined, deleted, failed. */
  private special: string[] = [];
  private external: ExternalDatabase | undefined;

  private readonly service: ServiceProcess;
  private readonly documents: number;
  private readonly say: (line: string) => void;

  private constructor(service: ServiceProcess, documents: number, say: (line: string) => void) {
    this.service = service;
    this.documents = documents;
    this.say = say;
  }

  static async begin(documents: number, say: (line: string) => void): Promise<BackupDrill> {
    return new BackupDrill(await ServiceProcess.start(), documents, say);
  }

  async dispose(): Promise<void> {
    await this.external?.stop();
    await this.service.dispose();
  }

  async fill(): Promise<void> {
    const platform = await new ApiClient(this.service.url).login(this.service.admin.email, this.service.admin.password);
    const each = Math.ceil(this.documents / TENANTS.length);
    for (const name of TENANTS) this.branches.push(await addBranch(platform, name, each));
    for (const { person, dataset } of this.branches) {
      await waitUntilIdle(person.client, dataset);
      this.keys.push(await readingKey(person));
    }
    const [{ person, dataset, documents }] = this.branches as [Branch];
    await person.client.post('/governance/quarantine', { document_ids: [documents[0]], reason: 'Drill' });
    await person.client.send('DELETE', `/documents/${documents[1]}`);
    const broken = await person.client.upload(dataset, { name: 'broken.pdf', content: '%PDF-1.4 no more' });
    await person.client.pollUntilTerminal(broken.id);
    // Deleted too, and purged while the backup runs.
    const purged = this.branches[2]!;
    await purged.person.client.send('DELETE', `/documents/${purged.documents[1]!}`);
    this.special = [documents[0]!, documents[1]!, broken.id];
    this.say(`${each * TENANTS.length} documents in ${TENANTS.length} tenants`);
  }

  async look(): Promise<Looks> {
    const found: Found[][] = [];
    for (const [n, { dataset }] of this.branches.entries()) {
      found.push(await searchAll(this.keys[n]!, dataset, TENANTS[n]!, QUESTIONS));
    }
    const { person, dataset } = this.branches[1]!;
    const answer = await person.client.chat('How often is the pump 30 in the garage of south replaced?', [dataset]);
    const citation = answer.citations[0]!;
    const statuses: string[] = [];
    for (const id of this.special) statuses.push(await statusOf(this.branches[0]!.person.client, id));
    this.say(`looked: ${statuses.join(', ')}; ${found.flat().length} searches`);
    return { found, citation, cited: await this.readCited(citation), statuses };
  }

  /** The backup is begun when files come in already, and they come in until it has ended. */
  async backUpDuringUploads(name: string): Promise<void> {
    let isOver = false;
    let sent = 0;
    const uploads = this.branches.map(async ({ person, incoming }, n) => {
      for (let next = 0; !isOver; next += 5) {
        await uploadTexts(
          person.client,
          incoming,
          `${TENANTS[n]!}-new`,
          [0, 1, 2, 3, 4].map((k) => next + k),
        );
        sent += 5;
      }
    });
    const backup = this.run('backup.js', [this.folderOf(name)], this.dataDir('data'));
    await Promise.race([backup, this.purgeWhenBegun(name)]);
    await backup;
    isOver = true;
    await Promise.all(uploads);
    const manifest = await readManifest(this.folderOf(name));
    if (!(await this.hasFileOf(name, this.branches[2]!.documents[1]!)))
      throw new Error('A purged file is not in the backup');
    this.rows = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
    this.files = manifest.files.count;
    this.say(`backed up ${this.rows} rows and ${this.files} files; ${sent} uploads meanwhile`);
    if (manifest.files.missing.length > 0) throw new Error(`Files are missing: ${manifest.files.missing.join(', ')}`);
    await this.service.stop();
    await rename(join(this.service.folder, 'data'), join(this.service.folder, 'former'));
  }

  async moveToExternal(from: string): Promise<void> {
    this.external = await ExternalDatabase.start(join(this.service.folder, 'external'));
    const elsewhere = { ...this.dataDir('elsewhere'), DATABASE_URL: this.external.url, AUTH_JWT_KEY: KEY };
    await this.run('restore.js', [this.folderOf(from)], elsewhere);
    await this.run('backup.js', [this.folderOf('external')], elsewhere);
    this.say('restored into an external database and backed up from there');
  }

  async moveBack(from: string): Promise<void> {
    const data = join(this.service.folder, 'data');
    await mkdir(data);
    await chmod(data, 0o711);
    await this.run('restore.js', [this.folderOf(from)], this.dataDir('data'));
    await this.run('backup.js', [this.folderOf('back')], this.dataDir('data'));
    this.say('restored into the embedded database');
  }

  /** Table by table; the restore's own promises are the only rows that may have come. */
  async compareBackups(first: string, second: string): Promise<string[]> {
    const [a, b] = [await readManifest(this.folderOf(first)), await readManifest(this.folderOf(second))];
    const problems = a.files.sha256 === b.files.sha256 ? [] : [`${second}: other files`];
    if (a.tables.length !== b.tables.length) problems.push(`${second}: other tables`);
    for (const table of a.tables) {
      const other = b.tables.find(({ name }) => name === table.name);
      const isSame = PROMISED.includes(table.name)
        ? await this.isContained(table.name, first, second)
        : other?.sha256 === table.sha256;
      if (!isSame) problems.push(`${second}: the rows of ${table.name} differ`);
    }
    return problems;
  }

  checkAuditChains(name: string): Promise<string[]> {
    return findBrokenLinks(this.folderOf(name));
  }

  async startRestored(): Promise<void> {
    await this.service.start();
    for (const [n, branch] of this.branches.entries()) {
      const client = await new ApiClient(this.service.url).login(branch.person.email, 'a long enough password');
      this.branches[n] = { ...branch, person: { ...branch.person, client } };
    }
    const isFilled = (line: string): boolean => line.includes('task.completed') && line.includes('"reindex"');
    await until(() => this.service.log.some(isFilled), { what: 'the reindex', withinMs: WHOLE_DRILL_MS });
    this.say('started, old passwords log in, the vector store is filled');
  }

  async compareLooks(before: Looks): Promise<string[]> {
    const now = await this.look();
    const problems: string[] = [];
    for (const [n, found] of before.found.flat().entries()) {
      if (JSON.stringify(found) !== JSON.stringify(now.found.flat()[n])) problems.push(`other results: ${found.query}`);
    }
    if ((await this.readCited(before.citation)) !== before.cited || before.cited !== before.citation.cited_text) {
      problems.push('the old citation does not stand in its document any more');
    }
    if (before.statuses.join() !== now.statuses.join()) problems.push(`other states: ${now.statuses.join()}`);
    return problems;
  }

  /** What had come in by the moment of the backup is whole, and is ingested to its end. */
  async checkUploads(): Promise<string[]> {
    const problems: string[] = [];
    let count = 0;
    for (const { person, incoming } of this.branches) {
      await waitUntilIdle(person.client, incoming);
      const { items } = await person.client.get<{ items: { id: string; status: string; name: string }[] }>(
        `/documents/?dataset_id=${incoming}&limit=100`,
      );
      for (const { id, status } of items) {
        const file = await person.client.send<string>('GET', `/documents/${id}/content`);
        if (status !== 'completed' || file.status !== 200)
          problems.push(`${id} came in during the backup: ${status}, ${file.status}`);
      }
      count += items.length;
    }
    this.say(`${count} of the uploads during the backup are in it`);
    return problems;
  }

  /** What is removed for ever while the backup runs is in it all the same. */
  private async purgeWhenBegun(backup: string): Promise<void> {
    await until(() => existsSync(join(this.folderOf(backup), 'tables')), { everyMs: 10, withinMs: WHOLE_DRILL_MS });
    const { person, dataset } = this.branches[2]!;
    await person.client.post(`/datasets/${dataset}/purge`, {});
  }

  private async hasFileOf(backup: string, document: string): Promise<boolean> {
    const files = await readdir(join(this.folderOf(backup), 'files'), { recursive: true, withFileTypes: true });
    return files.some((entry) => entry.isFile() && entry.parentPath.endsWith(document));
  }

  private async isContained(table: string, first: string, second: string): Promise<boolean> {
    const after = new Set(await readLines(this.folderOf(second), table));
    return (await readLines(this.folderOf(first), table)).every((line) => after.has(line));
  }

  private async readCited({
    document_id: id,
    source_char_start: start,
    source_char_end: end,
  }: Citation): Promise<string> {
    return (await this.branches[1]!.person.client.text(id)).slice(start, end);
  }

  private folderOf(backup: string): string {
    return join(this.service.folder, `backup-${backup}`);
  }

  private dataDir(name: string): Record<string, string> {
    return { DATA_DIR: join(this.service.folder, name) };
  }

  private async run(command: string, options: readonly string[], settings: Record<string, string>): Promise<void> {
    const child = spawn(process.execPath, [join(CLI, command), ...options], {
      cwd: this.service.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', ...settings },
    });
    let said = '';
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${said}`);
  }
}
