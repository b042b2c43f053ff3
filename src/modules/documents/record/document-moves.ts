import { DOCUMENT_STATUSES, type DocumentStatusName } from './document.entity.js';

interface Move {
  /** Statuses from which the move is possible. */
  readonly from: readonly DocumentStatusName[];
  /** Participle for texts, as in "can be cancelled". */
  readonly done: string;
  /** Whether the move can change what searches find. */
  readonly changesContent: boolean;
}

/** Moves that callers request; those of workers are in `DocumentLifecycle`. */
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

/** The error detail for a move that the status does not allow. */
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
