import type { Judgement } from './judgement.js';

/** More statements or questions than that are not read. */
const MOST_ITEMS = 200;
const MOST_QUESTIONS = 3;
const QUESTION_CHARS = 1_000;
const MOST_WRITTEN = 65_536;
/** Braces at which an object may begin; each costs a look at the whole text. */
const MOST_LOOKS = 10;

type Fields = Readonly<Record<string, unknown>>;

/** The JSON object of what a model wrote, also fenced or within other words; undefined where there is none. */
export function readObject(written: string): Fields | undefined {
  const text = written.slice(0, MOST_WRITTEN);
  const end = text.lastIndexOf('}');
  let start = text.indexOf('{');
  for (let looks = 0; looks < MOST_LOOKS && start !== -1 && start < end; looks += 1) {
    const value = parse(text.slice(start, end + 1));
    if (isObject(value)) return value;
    // What begins later is part of an object that is broken, unless words with a brace are before it.
    if (text.slice(0, start).trim() === '') return undefined;
    start = text.indexOf('{', start + 1);
  }
  return undefined;
}

/** Whether each statement of a list is supported; undefined where the list is missing or one is not said of. */
export function readStatements(written: string, name: string): readonly boolean[] | undefined {
  const list = readObject(written)?.[name];
  if (!Array.isArray(list) || list.length > MOST_ITEMS) return undefined;
  const flags = list.map((one: unknown) => (isObject(one) ? flagOf(one['supported']) : undefined));
  return flags.every((flag) => flag !== undefined) ? flags : undefined;
}

/** As many flags as there are fragments; undefined for any other number. */
export function readFlags(written: string, name: string, wanted: number): readonly boolean[] | undefined {
  const list = readObject(written)?.[name];
  if (!Array.isArray(list) || list.length !== wanted) return undefined;
  const flags = list.map(flagOf);
  return flags.every((flag) => flag !== undefined) ? flags : undefined;
}

/** The questions; 0 for an answer that commits to nothing. */
export function readRelevancy(written: string): Judgement | undefined {
  const { questions, noncommittal } = readObject(written) ?? {};
  if (flagOf(noncommittal) === true) return { kind: 'value', value: 0 };
  if (!Array.isArray(questions)) return undefined;
  const asked = questions
    .filter((one): one is string => typeof one === 'string' && /[\p{L}\p{N}]/u.test(one))
    .slice(0, MOST_QUESTIONS)
    .map((one) => one.toWellFormed().slice(0, QUESTION_CHARS));
  return asked.length === 0 ? undefined : { kind: 'questions', questions: asked };
}

/** Share of what is true; undefined where there is nothing to judge. */
export function shareOf(flags: readonly boolean[] | undefined): number | undefined {
  return flags === undefined || flags.length === 0 ? undefined : flags.filter(Boolean).length / flags.length;
}

/** Mean of the precision at the place of each helpful fragment. */
export function averagePrecisionOf(flags: readonly boolean[] | undefined): number | undefined {
  if (flags === undefined || flags.length === 0) return undefined;
  let [helpful, sum] = [0, 0];
  for (const [index, isHelpful] of flags.entries()) {
    if (!isHelpful) continue;
    helpful += 1;
    sum += helpful / (index + 1);
  }
  return helpful === 0 ? 0 : sum / helpful;
}

/** F1 of the statements of answer and expected answer. */
export function f1Of(
  answer: readonly boolean[] | undefined,
  expected: readonly boolean[] | undefined,
): number | undefined {
  if (answer === undefined || expected === undefined || answer.length + expected.length === 0) return undefined;
  const truePositives = answer.filter(Boolean).length;
  const wrong = answer.length - truePositives + expected.filter((isCovered) => !isCovered).length;
  return truePositives === 0 ? 0 : (2 * truePositives) / (2 * truePositives + wrong);
}

/** Models write truth in several ways. */
function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 'true' || value === 'yes') return true;
  return value === 0 || value === 'false' || value === 'no' ? false : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
