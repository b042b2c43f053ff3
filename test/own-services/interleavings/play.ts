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

/** What someone does with one document, and how long he waits before. */
export interface Step {
  readonly move: (typeof MOVES)[number];
  /** Of the shared document; otherwise of one's own. */
  readonly isShared: boolean;
  /** What is uploaded: nothing, some sentences, or more than can be ingested before the next step. */
  readonly size: 'empty' | 'small' | 'large';
  /** Milliseconds, or until the document has come to rest. */
  readonly pause: number | 'rest';
}

const SENTENCES: Readonly<Record<Step['size'], number>> = { empty: 0, small: 3, large: 600 };
const REST_MS = 3_000;

function stepOf(move: Step['move'], pause: Step['pause'] = 0, size: Step['size'] = 'small'): Step {
  return { move, size, pause, isShared: false };
}

/** How each of the people begins, so that every move is possible at least once; what follows is drawn. */
const OPENINGS: readonly (readonly Step[])[] = [
  [stepOf('upload', 0, 'empty'), stepOf('retry', 'rest')],
  [stepOf('upload', 0, 'large'), stepOf('cancel')],
  [stepOf('upload'), stepOf('reingest', 'rest'), stepOf('upload', 'rest', 'large'), stepOf('cancel')],
  [
    stepOf('upload'),
    stepOf('quarantine', 'rest'),
    stepOf('rename'),
    stepOf('release'),
    stepOf('delete'),
    stepOf('purge'),
  ],
];

/** The moves that meet work under way are drawn more often. */
const WEIGHTS: Readonly<Record<Step['move'], number>> = {
  upload: 6,
  cancel: 5,
  retry: 2,
  reingest: 3,
  quarantine: 2,
  release: 2,
  delete: 1,
  purge: 1,
  rename: 1,
};

/** What several people do at the same time. */
export const plays: fc.Arbitrary<Step[][]> = fc.array(
  fc.array(
    fc.record({
      move: fc.oneof(...MOVES.map((move) => ({ arbitrary: fc.constant(move), weight: WEIGHTS[move] }))),
      isShared: fc.nat(2).map((n) => n === 0),
      size: fc.constantFrom('empty', 'small', 'large', 'large'),
      pause: fc.constantFrom(0, 0, 10, 40, 'rest' as const),
    }),
    { minLength: 6, maxLength: 10 },
  ),
  { minLength: OPENINGS.length, maxLength: OPENINGS.length },
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

/** A document that someone works with; it is uploaded again when it was deleted. */
interface Slot {
  readonly marker: string;
  id: string | undefined;
  versions: number;
}

/** One dataset and the people who work in it. */
export class Play {
  readonly breaches: string[] = [];
  /** How often each move was possible. */
  readonly done = new Map<Step['move'], number>();
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
      lanes.map(async (drawn, lane) => {
        const own = this.slot(`own${lane}`);
        for (const next of [...OPENINGS[lane]!, ...drawn]) {
          const slot = next.isShared ? this.shared : own;
          await this.pause(next, slot);
          await this.perform(next, slot, !next.isShared);
        }
      }),
    );
  }

  private async pause({ pause }: Step, slot: Slot): Promise<void> {
    if (pause !== 'rest') return wait(pause);
    for (const end = Date.now() + REST_MS; slot.id !== undefined && Date.now() < end; await wait(20)) {
      const { body } = await this.client.send<DocumentRecord>('GET', `/documents/${slot.id}/status`);
      if (body.status !== 'pending' && body.status !== 'processing') return;
    }
  }

  /** Documents that a search for everything returns now, each with the versions of its text; more than one is a breach. */
  async search(): Promise<Map<string, Set<string>>> {
    // By nearness everything is found, up to the limit.
    const options = { search_method: 'vector', top_k: 100 };
    const answer = await this.client.search(this.name, [this.dataset], options);
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
    const { accepted } = (answer.body ?? {}) as Partial<Bulk>;
    if (answer.status < 300 && accepted?.length !== 0) this.done.set(step.move, (this.done.get(step.move) ?? 0) + 1);
    if (isOwn) await this.checkOwn(step, slot, answer);
  }

  /** No one else touches an own document, so what the answer says must hold. */
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
    if (step.move === 'upload') return this.upload(slot, step.size);
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

  /** A file of the same name is the next revision. Every sentence says which version it is of. */
  private upload(slot: Slot, size: Step['size']): Promise<Answer<unknown>> {
    const version = `${slot.marker}v${++slot.versions}`;
    const sentences = Array.from({ length: SENTENCES[size] }, (_, n) => `Sentence ${n} of ${this.name} is ${version}.`);
    const fields = { dataset_id: this.dataset, on_duplicate: 'new_revision' };
    const file = { name: `${slot.marker}.txt`, content: sentences.join(' ') };
    return this.client.send('POST', '/documents/upload', uploadForm(file, fields));
  }
}
