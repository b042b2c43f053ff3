import type { Steps } from './steps.js';

/** Items of a list that are written in one step. */
const ITEMS_PER_STEP = 32;

/** `JSON.stringify` of an object, with pauses between its members and within lists among them. */
export function* jsonSteps(value: object): Steps<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const text = Array.isArray(member) ? yield* listSteps(member) : JSON.stringify(member);
    // As everywhere in JSON, what has no value is left out.
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    yield;
  }
  return `{${members.join(',')}}`;
}

function* listSteps(list: readonly unknown[]): Steps<string> {
  const pieces: string[] = [];
  for (let from = 0; from < list.length; from += ITEMS_PER_STEP) {
    pieces.push(JSON.stringify(list.slice(from, from + ITEMS_PER_STEP)).slice(1, -1));
    yield;
  }
  return `[${pieces.join(',')}]`;
}
