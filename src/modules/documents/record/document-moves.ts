import { DOCUMENT_STATUSES, type DocumentStatusName } from './document.entity.js';

interface Move {
  /** States that it starts from. */
  readonly from: readonly DocumentStatusName[];
  /** What has happened to a document afterwards. */
  readonly done: string;
  /** Whether it changes what a search shows. */
  readonly changesContent: boolean;
}

/** The moves that someone asks for; those of a worker are in DocumentLifecycle. */
export const DOCUMENT_MOVES = {
  cancel: { from: ['pending', 'processing'], done: 'cancelled', changesContent: false },
  retry: { from: ['failed'], done: 'retried', changesContent: false },
  reingest: { from: ['completed'], done: 'reingested', changesContent: false },
  revise: {
    from: ['pending', 'processing', 'completed', 'failed', 'cancelled'],
    done: 'given a new revision',
    changesContent: true,
  },
  quarantine: { from: ['pending', 'processing', 'completed', 'failed'], done: 'quarantined', changesContent: true },
  release: { from: ['quarantined'], done: 'released', changesContent: true },
  delete: { from: DOCUMENT_STATUSES, done: 'deleted', changesContent: true },
} as const satisfies Readonly<Record<string, Move>>;

export type DocumentMove = keyof typeof DOCUMENT_MOVES;

export function isLegalMove(move: DocumentMove, status: DocumentStatusName): boolean {
  const { from }: Move = DOCUMENT_MOVES[move];
  return from.includes(status);
}

/** The sentence that a caller reads who asked for a move that the state does not allow. */
export function describeIllegalMove(move: DocumentMove, status: DocumentStatusName): string {
  const { from, done }: Move = DOCUMENT_MOVES[move];
  const possible = (Object.values(DOCUMENT_MOVES) as Move[]).filter((other) => other.from.includes(status));
  return (
    `The document is ${status}, and only a ${inWords(from)} one can be ${done}. ` +
    `A ${status} document can be ${inWords(possible.map((other) => other.done))}.`
  );
}

function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
