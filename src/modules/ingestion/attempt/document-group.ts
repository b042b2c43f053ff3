import type { RequestContext } from '#libs/tenancy';
import { AttemptEnding, hasEnded } from './attempt-ending.service.js';
import type { AnyState, Outcome, Way } from './document-states.js';
import type { Journal } from './journal.js';

/** The documents of one run: one that is streamed, or several that are held in memory. Tracks which of them have not ended. */
export class DocumentGroup {
  private readonly open: Set<Journal>;

  constructor(
    readonly ctx: RequestContext,
    readonly way: Way,
    journals: readonly Journal[],
    /** Aborted when the run must stop. */
    readonly signal: AbortSignal,
    private readonly ending: AttemptEnding,
  ) {
    this.open = new Set(journals);
  }

  /** Notes that nothing is left to do for a document. */
  close(journal: Journal): void {
    this.open.delete(journal);
  }

  /** Ends documents with their own errors, or lets them continue alone. Returns the others. */
  async settle<State>(outcomes: readonly Outcome<State>[]): Promise<State[]> {
    const alone: Journal[] = [];
    for (const outcome of outcomes) {
      if (outcome.kind === 'alone' && !hasEnded(outcome.journal.run)) alone.push(outcome.journal);
      if (outcome.kind !== 'failed') continue;
      this.close(outcome.journal);
      await this.ending.end(outcome.journal, outcome.error);
    }
    for (const journal of alone) this.close(journal);
    await this.ending.sendBack(alone);
    await this.disownLost();
    return outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.document] : []));
  }

  /** The documents with valid leases; everything written for the others is removed. */
  async stillHeld<State extends AnyState>(documents: readonly State[]): Promise<State[]> {
    await this.disownLost();
    return documents.filter(({ journal }) => this.open.has(journal));
  }

  /** The documents whose attempts a write found to be valid; everything written for the others is removed. */
  async owned<State extends AnyState>(
    documents: readonly State[],
    isOwned: (journal: Journal) => boolean,
  ): Promise<State[]> {
    await this.disown(documents.map(({ journal }) => journal).filter((journal) => !isOwned(journal)));
    return documents.filter(({ journal }) => this.open.has(journal));
  }

  /** Ends all remaining documents after a fault, which can be assigned to a document only if it ran alone. */
  async end(error: unknown): Promise<void> {
    const [first, ...others] = this.open;
    if (first === undefined) return;
    this.open.clear();
    if (this.way === 'streamed') await this.ending.end(first, error);
    else await this.ending.endTogether([first, ...others], error);
  }

  private async disownLost(): Promise<void> {
    await this.disown([...this.open].filter(({ run }) => hasEnded(run)));
  }

  private async disown(journals: readonly Journal[]): Promise<void> {
    const gone = journals.filter((journal) => this.open.delete(journal));
    await this.ending.disown(gone.map(({ run }) => run));
  }
}
