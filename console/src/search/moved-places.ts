/** Where a passage stands in each of two lists, from 1; undefined where it is not in it. */
export interface Move {
  readonly left: number | undefined;
  readonly right: number | undefined;
}

export type Direction = 'rose' | 'fell' | 'same' | 'new' | 'gone';

/** The places of all passages of two lists. */
export function movesOf(left: readonly string[], right: readonly string[]): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>();
  left.forEach((id, index) => moves.set(id, { left: index + 1, right: undefined }));
  right.forEach((id, index) => moves.set(id, { left: moves.get(id)?.left, right: index + 1 }));
  return moves;
}

/** What became of a passage from the left list to the right one. */
export function directionOf({ left, right }: Move): Direction {
  if (left === undefined) return 'new';
  if (right === undefined) return 'gone';
  if (left === right) return 'same';
  return right < left ? 'rose' : 'fell';
}

/** How many passages moved in which way. */
export function countMoves(moves: ReadonlyMap<string, Move>): Readonly<Record<Direction, number>> {
  const counts: Record<Direction, number> = { rose: 0, fell: 0, same: 0, new: 0, gone: 0 };
  for (const move of moves.values()) counts[directionOf(move)] += 1;
  return counts;
}
