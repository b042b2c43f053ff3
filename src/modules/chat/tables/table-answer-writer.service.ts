import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { AnswerMarkup } from '../markup/answer-markup.js';
import type { AnswerCitation } from '#libs/answering';
import type { AnswerPart } from '../../tables/index.js';
import type { AnswerEvent, AnswerFacts } from '../turn/answer-event.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { CitationVerifier } from '../answer/citation-verifier.service.js';
import { cutAnswer, piecesOf } from '../answer/cut-answer.js';
import type { ChatCitation, ChatGrounding, FinishReason } from '../turn/chat-completion.dto.js';
import { RefusalWriter } from '../answer/refused-answer.service.js';

const NO_USAGE = { promptTokens: 0, completionTokens: 0 };

/** Makes an answer with a marker behind every part for each of its rows. */
interface MarkedAnswer {
  readonly content: string;
  readonly citations: readonly AnswerCitation[];
}

/** Writes the answer of a table. No model is called: the statement over the table gives the answer, and its rows are the evidence. */
@Injectable()
export class TableAnswerWriter {
  constructor(
    private readonly citations: CitationVerifier,
    private readonly markup: AnswerMarkup,
    private readonly refusals: RefusalWriter,
  ) {}

  /**
   * Cells are shown literally, including markup. Nothing is shown before every row was read again at its place; if one is no longer there, the
   * question is refused.
   */
  async *write(
    ctx: RequestContext,
    turn: ChatTurn,
    { parts, maxTokens }: { readonly parts: readonly AnswerPart[]; readonly maxTokens: number | undefined },
  ): AsyncGenerator<AnswerEvent> {
    const shown = parts.map(({ text, rows }) => ({ text: this.markup.escape(text), rows }));
    const marked = mark(shown, turn);
    const citations = await this.citations.verify(ctx, marked.citations, turn.sources);
    yield { kind: 'begun' };
    if (citations.length === 0 || citations.some(({ verified }) => !verified)) {
      yield* this.refusals.refuse(turn, 'UNGROUNDED');
      return;
    }
    const { content, finishReason } = cutAnswer(marked.content, turn.stop, maxTokens);
    const kept = citations.filter(({ answer_end: end, marker }) => content.indexOf(marker, end) >= 0);
    for (const text of piecesOf(content)) yield { kind: 'text', text, isRefusal: false };
    yield { kind: 'facts', facts: factsOf(turn, finishReason, kept) };
  }
}

function factsOf(turn: ChatTurn, finishReason: FinishReason, citations: readonly ChatCitation[]): AnswerFacts {
  const shown = { finishReason, usage: NO_USAGE, citations, grounding: groundingOf(turn) };
  return { ...shown, refusal: null, removedMarkers: 0, removedLinks: 0 };
}

/** Grounding of the answer: values computed from rows of the text are supported by these rows. */
function groundingOf({ grounding, answered }: ChatTurn): ChatGrounding | null {
  if (grounding === 'off') return null;
  const measured = { status: 'supported' as const, score: 1, answered, unsupported_spans: [], withheld: 0 };
  return { ...measured, method: 'table', threshold: 1 };
}

function mark(parts: readonly AnswerPart[], { sources }: ChatTurn): MarkedAnswer {
  const citations: AnswerCitation[] = [];
  let content = '';
  for (const { text, rows } of parts) {
    const start = content.length + text.search(/[^\s;]|$/);
    content += text;
    const end = content.length;
    const cited = rows.flatMap((row) => sources[row] ?? []);
    if (cited.length > 0) content += ` ${cited.map(({ marker }) => marker).join('')}`;
    for (const { number, marker, char_start: sourceStart, char_end: sourceEnd, text: citedText } of cited) {
      const place = { answerStart: start, answerEnd: end, sourceStart, sourceEnd };
      citations.push({ number, marker, ...place, citedText, supportScore: 1 });
    }
  }
  return { content, citations };
}
