import type { Clue } from './clue.js';
import { isTemporal } from './question-table.js';
import type { Condition } from './table-query.js';

/** The demands themselves; several values of one column are one demand: any of them. */
export function demandsOf(clues: readonly Clue[]): Condition[] {
  const demands: Condition[] = [];
  for (const { condition } of clues) {
    const index = demands.findIndex((other) => isSameChoice(condition, other) || isOtherTime(condition, other));
    const other = demands[index];
    if (other === undefined) demands.push(condition);
    else if (condition.kind === 'in' && other.kind === 'in')
      demands[index] = { ...other, values: [...new Set([...other.values, ...condition.values])] };
    else demands[index] = { kind: 'any', of: [...(other.kind === 'any' ? other.of : [other]), condition] };
  }
  return demands;
}

/** `2024 and 2025`, `January and March`: no row is of two times at once, so either is meant. */
function isOtherTime(one: Condition, other: Condition): boolean {
  if (other.kind === 'any') return other.of.every((each) => isOtherTime(one, each));
  const [time, beside] = [timeOf(one), timeOf(other)];
  return time !== undefined && time === beside;
}

/** Of a condition that a row meets by being of one time alone; what it is about. */
function timeOf(condition: Condition): string | undefined {
  if (condition.kind === 'date_part')
    return condition.op === '=' ? `${condition.part} ${condition.column.name}` : undefined;
  if (condition.kind === 'compare' && condition.op === '=' && isTemporal(condition.column))
    return condition.column.name;
  const isDays = condition.kind === 'between' && condition.column.type.startsWith('date');
  return isDays ? condition.column.name : undefined;
}

function isSameChoice(one: Condition, other: Condition): boolean {
  return one.kind === 'in' && other.kind === 'in' && one.column.name === other.column.name && one.not === other.not;
}
