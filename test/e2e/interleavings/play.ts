import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { uploadForm, type Answer, type ApiClient, type DocumentRecord } from '../../support/api-client.js';

export const MOVES = [
  'upload',
  'cancel',
  'retry',
  'reingest',
  'quarantine',
  'release',
  'delete',
  'purge',
  'rename',
] as const;

/** What somebody does with one document, and how long he waits before. */
export interface Step {
  readonly move: (typeof MOVES)[number];
  /** Of the shared document; otherwise of one's own. */
  readonly isShared: boolean;
  readonly isLong: boolean;
  readonly pauseMs: number;
}

/** What several people do at the same time. */
export const plays: fc.Arbitrary<Step[][]> = fc.array(
  fc.array(
    fc.record({
      move: fc.oneof(
        { arbitrary: fc.constant('upload' as const), weight: 3 },
        { arbitrary: fc.constantFrom(...MOVES), weight: 9 },
      ),
      isShared: fc.nat(2).map((n) => n === 0),
      isLong: fc.boolean(),
      pauseMs: fc.nat(60),
    }),
    { minLength: 8, maxLength: 14 },
  ),
  { minLength: 4, maxLength: 4 },
);

/** Statuses that an answer may have; whatever is not here is a defect. */
const POSSIBLE: Readonly<Record<Step['move'], readonly number[]>> = {
  upload: [201, 409],
  cancel: [200, 404, 409],
  retry: [202, 404, 409],
  reingest: [202],
  quarantine: [200],
  release: [200],
  delete: [200],
  purge: [202],
  rename: [200, 404],
};

interface Bulk {
  readonly accepted: readonly string[];
}

/** A document that somebody works with; it is uploaded anew when it was deleted. */
interface Slot {
  readonly marker: string;
  id: string | undefined;
  versions: number;
}

/** One dataset and the people who work in it. */
export class Play {
  readonly breaches: string[] = [];
  readonly documents = new Set<string>();
  private readonly shared: Slot;

  constructor(
    private readonly client: ApiClient,
    readonly dataset: string,
    private readonly name: string,
  ) {
    this.shared = this.slot('shared');
  }

  /** Plays all lanes at once, each step after the one before it. */
  async run(lanes: readonly (readonly Step[])[]): Promise<void> {
    await Promise.all(
      lanes.map(async (steps, lane) => {
        const own = this.slot(`own${lane}`);
        for (const step of steps) {
          await wait(step.pauseMs);
          await this.perform(step, step.isShared ? this.shared : own, !step.isShared);
        }
      }),
    );
  }

  /** Documents that a search for everything returns now, each with the versions of its text; more than one is a breach. */
  async search(): Promise<Map<string, Set<string>>> {
    const answer = await this.client.search(`${this.name}all`, [this.dataset], {
      search_method: 'keyword',
      top_k: 100,
    });
    const found = new Map<string, Set<string>>();
    for (const { document_id: id, text } of answer.results) {
      const versions = found.get(id) ?? new Set<string>();
      for (const [version] of text.matchAll(/\w+v\d+\b/g)) versions.add(version);
      found.set(id, versions);
    }
    for (const [id, versions] of found) {
      if (versions.size !== 1) this.breaches.push(`${id} shows ${[...versions].join(' and ') || 'no version'}`);
    }
    return found;
  }

  private slot(label: string): Slot {
    return { marker: `${this.name}${label}`, id: undefined, versions: 0 };
  }

  private async perform(step: Step, slot: Slot, isOwn: boolean): Promise<void> {
    const answer = await this.send(step, slot);
    if (answer === undefined) return;
    if (!POSSIBLE[step.move].includes(answer.status)) {
      this.breaches.push(`${step.move} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return;
    }
    if (step.move === 'upload' && answer.status === 201) {
      slot.id = (answer.body as DocumentRecord).id;
      this.documents.add(slot.id);
    }
    if (isOwn) await this.checkOwn(step, slot, answer);
  }

  /** Nobody else touches an own document, so what the answer says must hold. */
  private async checkOwn(step: Step, slot: Slot, answer: Answer<unknown>): Promise<void> {
    const id = slot.id;
    if (id === undefined) return;
    const accepted = (answer.body as Partial<Bulk> | null)?.accepted?.includes(id) === true;
    const isCancelled = step.move === 'cancel' && (answer.body as DocumentRecord).status === 'cancelled';
    const isHidden = (accepted && (step.move === 'quarantine' || step.move === 'delete')) || isCancelled;
    if (isHidden && (await this.search()).has(id)) this.breaches.push(`${id} is found after its ${step.move}`);
    if (accepted && step.move === 'delete') slot.id = undefined;
  }

  private send(step: Step, slot: Slot): Promise<Answer<unknown>> | undefined {
    if (step.move === 'purge') return this.client.send('POST', `/datasets/${this.dataset}/purge`);
    if (step.move === 'upload') return this.upload(slot, step.isLong);
    if (slot.id === undefined) return undefined;
    const body = { document_ids: [slot.id] };
    switch (step.move) {
      case 'cancel':
      case 'retry':
        return this.client.send('POST', `/documents/${slot.id}/${step.move}`);
      case 'reingest':
      case 'delete':
        return this.client.send('POST', `/documents/batch/${step.move}`, body);
      case 'quarantine':
        return this.client.send('POST', '/governance/quarantine', { ...body, reason: 'Played' });
      case 'release':
        return this.client.send('POST', '/governance/quarantine/release', body);
      case 'rename':
        return this.client.send('PATCH', `/documents/${slot.id}`, { tags: [`t${slot.versions}`] });
    }
  }

  /** A file of the same name is the next revision. Every sentence says which version it is of; one in five files is empty. */
  private upload(slot: Slot, isLong: boolean): Promise<Answer<unknown>> {
    const version = `${slot.marker}v${++slot.versions}`;
    const sentences = Array.from(
      { length: isLong ? 250 : 3 },
      (_, n) => `Sentence ${n} of ${this.name}all is ${version}.`,
    );
    const content = slot.versions % 5 === 0 ? '' : sentences.join(' ');
    const fields = { dataset_id: this.dataset, on_duplicate: 'new_revision' };
    return this.client.send('POST', '/documents/upload', uploadForm({ name: `${slot.marker}.txt`, content }, fields));
  }
}
