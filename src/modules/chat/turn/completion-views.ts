import type { AnswerFacts, Refusal } from './answer-event.js';
import type { ChatTurn, TurnSource } from './chat-turn.js';
import type { ChatChunkChoice, ChatCompletionChunk, ChatDeltaDto } from './chat-completion-chunk.dto.js';
import type { ChatAnswerDetails, ChatAnswerSource, ChatCompletion, FinishReason } from './chat-completion.dto.js';
import type { ChatRefusal } from './chat-refusal.dto.js';

/** What every chunk of an answer names. */
type ChunkHead = Pick<ChatTurn, 'id' | 'created' | 'model'>;

/** The whole answer as one object. */
export function toCompletion(turn: ChatTurn, content: string, facts: AnswerFacts): ChatCompletion {
  const message = { role: 'assistant' as const, content, refusal: facts.refusal?.message ?? null };
  return {
    id: turn.id,
    object: 'chat.completion',
    created: turn.created,
    model: turn.model,
    choices: [{ index: 0, message, finish_reason: facts.finishReason }],
    ...detailsOf(turn, facts),
    sources: turn.sources.map(toSource),
  };
}

/** The first chunk of a stream: the role, the sources, and no text yet. */
export function firstChunk(turn: ChatTurn): ChatCompletionChunk {
  const choices = [choice({ role: 'assistant', content: '' })];
  return { ...chunk(turn, choices), request_id: turn.requestId, sources: turn.sources.map(toSource) };
}

/** A piece of the text. */
export function textChunk(turn: ChunkHead, text: string, isRefusal: boolean): ChatCompletionChunk {
  return chunk(turn, [choice(isRefusal ? { content: text, refusal: text } : { content: text })]);
}

/** The end of a stream: one chunk, or two when OpenAI's usage chunk with empty choices was requested. The last one has the details. */
export function lastChunks(turn: ChatTurn, facts: AnswerFacts): ChatCompletionChunk[] {
  const finish = chunk(turn, [choice({}, facts.finishReason)]);
  const details = detailsOf(turn, facts);
  return turn.includeUsage ? [finish, { ...chunk(turn, []), ...details }] : [{ ...finish, ...details }];
}

function chunk(turn: ChunkHead, choices: ChatChunkChoice[]): ChatCompletionChunk {
  return { id: turn.id, object: 'chat.completion.chunk', created: turn.created, model: turn.model, choices };
}

function choice(delta: ChatDeltaDto, finishReason: FinishReason | null = null): ChatChunkChoice {
  return { index: 0, delta, finish_reason: finishReason };
}

function detailsOf(turn: ChatTurn, facts: AnswerFacts): ChatAnswerDetails {
  const { promptTokens, completionTokens } = facts.usage;
  return {
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
    request_id: turn.requestId,
    citations: [...facts.citations],
    grounding: facts.grounding,
    refusal: facts.refusal === null ? null : toRefusal(facts.refusal),
    removed_markers: facts.removedMarkers,
    removed_links: facts.removedLinks,
    retrieval: turn.retrieval,
    ...(facts.kept === undefined ? {} : { conversation: facts.kept }),
  };
}

/** A refusal as the interface shows it. */
export function toRefusal({ code, message, missing, measure, nextStep }: Refusal): ChatRefusal {
  return {
    code,
    message,
    missing: missing?.kind ?? null,
    missing_words: [...(missing?.words ?? [])],
    measure,
    next_step: nextStep === null ? null : { ...nextStep, verified: true },
  };
}

/** A source without what only citations need. */
export function toSource({ tableRow: _row, ...source }: TurnSource): ChatAnswerSource {
  return source;
}
