import type { ModelCallOptions } from '#libs/ai';
import { AnswerUnits, lacksPart, measureGrounding, StatementJudge } from '#libs/answering';
import type { ChatTurn } from '../turn/chat-turn.js';
import type { ChatGrounding } from '../turn/chat-completion.dto.js';
import type { SupportMeasure } from './support-measure.service.js';
import { evidenceOf } from '../turn/turn-evidence.js';

type Measured = Pick<ChatGrounding, 'status' | 'score' | 'unsupported_spans'>;

/** The grounding of an answer; null when it was not requested. */
export async function groundingOf(
  turn: ChatTurn,
  answer: string,
  withheld: number,
  measure: SupportMeasure,
  options: ModelCallOptions,
): Promise<ChatGrounding | null> {
  if (turn.grounding === 'off') return null;
  const { method, threshold } = measure;
  const measured = method === 'lexical' ? byWords(answer, turn) : await byModel(answer, turn, measure, options);
  // What strict grounding shows was found to be supported, part by part.
  const found = withheld > 0 ? 'partial' : turn.grounding === 'strict' ? 'supported' : measured.status;
  const isParted = turn.next.kind === 'ask' && turn.next.request.parts !== undefined;
  const status = found === 'supported' && isParted && lacksPart(answer) ? 'partial' : found;
  const spans = turn.grounding === 'strict' ? [] : measured.unsupported_spans;
  const { answered } = turn;
  return { status, score: measured.score, answered, unsupported_spans: spans, withheld, method, threshold };
}

/** The grounding of a refusal: there is nothing to measure. */
export function refusedGrounding(
  { method, threshold }: SupportMeasure,
  { withheld, answered }: { readonly withheld: number; readonly answered: number },
): ChatGrounding {
  return { status: 'refused', score: 0, answered, unsupported_spans: [], withheld, method, threshold };
}

function byWords(answer: string, turn: ChatTurn): Measured {
  const { status, score, unsupportedSpans } = measureGrounding(answer, evidenceOf(turn), turn.asked);
  const unsupported_spans = unsupportedSpans.map(({ start, end }) => ({ start, end, text: answer.slice(start, end) }));
  return { status, score, unsupported_spans };
}

async function byModel(
  answer: string,
  turn: ChatTurn,
  measure: SupportMeasure,
  options: ModelCallOptions,
): Promise<Measured> {
  const judge = new StatementJudge(evidenceOf(turn), turn.asked);
  const units = new AnswerUnits();
  const spans: ChatGrounding['unsupported_spans'] = [];
  let [at, weighted, length, judged] = [0, 0, 0, 0];
  for (const unit of [...units.push(answer), ...units.flush()]) {
    const start = at + unit.text.search(/\S|$/);
    const text = unit.text.trim();
    at += unit.text.length;
    if (judge.statementsOf(unit.text).length === 0) continue;
    const score = await measure.score(judge, unit, options);
    weighted += score * text.length;
    length += text.length;
    judged += 1;
    if (score < measure.threshold) spans.push({ start, end: start + text.length, text });
  }
  const status = judged === spans.length ? 'unsupported' : spans.length === 0 ? 'supported' : 'partial';
  return { status, score: length === 0 ? 0 : weighted / length, unsupported_spans: spans };
}
