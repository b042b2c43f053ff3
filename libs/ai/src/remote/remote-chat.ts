import { GrowingText } from '#libs/common';
import type { ChatDelta, ChatFinish, ChatModelDescriptor, ChatRequest, ChatUsage } from '../chat-model.port.js';
import { estimateUsage } from '../estimate-usage.js';
import { ModelFailure } from '../model-failure.js';
import { isTokenCount } from '../model-usage.js';
import { RefusalWatch } from '../prompt/refusal-watch.js';
import type { RemoteCall } from './remote-call.js';

/** Reason of a provider for the end of its answer. */
export type RemoteEnd = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_call';

/** One step of a provider's stream, freed of its protocol. */
export interface RemotePiece {
  readonly text?: string;
  readonly end?: RemoteEnd;
  readonly usage?: { readonly input: number; readonly output: number };
}

/** More characters than tokens have on the average in any language or code. */
const CHARACTERS_OF_A_TOKEN = 32;

/** The most tokens of an answer: those that are asked for, within what the model writes. */
export function tokenLimitOf(
  request: ChatRequest,
  { maxOutputTokens, defaultOutputTokens }: ChatModelDescriptor,
): number {
  return Math.min(request.maxTokens ?? defaultOutputTokens ?? maxOutputTokens, maxOutputTokens);
}

/** The text in a piece, whatever the types of the SDK say. @throws ModelFailure for anything else */
export function textIn(call: RemoteCall, content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content !== 'string') throw call.malformed('the content of the answer is no text');
  return content;
}

/** What a reason to end means; one that is not known is an ordinary end. */
export function endOf(known: Readonly<Record<string, RemoteEnd>>, reason: string): RemoteEnd {
  return (Object.hasOwn(known, reason) ? known[reason] : undefined) ?? 'stop';
}

/**
 * Converts the stream of a provider into events of the port, with exactly one end. An answer that continues far beyond `mostTokens` is ended as
 * too long, since its readers would wait for ever. `held` gives the text that has come and is still held back; it belongs to an answer that
 * breaks off.
 * @throws ModelFailure for an answer that stops without an end, or that asks for a tool
 */
export async function* chatDeltas(
  call: RemoteCall,
  request: ChatRequest,
  pieces: AsyncIterable<RemotePiece>,
  mostTokens: number,
  held: () => string = () => '',
): AsyncGenerator<ChatDelta> {
  const mayRefuse = request.responseFormat === undefined && request.instructions === undefined;
  const watch = mayRefuse ? new RefusalWatch() : undefined;
  const iterator = pieces[Symbol.asyncIterator]();
  const written = new GrowingText();
  let [end, usage]: [RemoteEnd | undefined, RemotePiece['usage']] = [undefined, undefined];
  for (;;) {
    const next = await nextPiece(call, iterator, end !== undefined);
    if (next instanceof ModelFailure) {
      const rest = held();
      if (rest !== '') yield { kind: 'text', text: rest };
      throw next;
    }
    if (next === undefined) break;
    usage = next.usage ?? usage;
    end ??= next.end;
    if (end === 'tool_call') throw call.malformed('the model asks for a tool although it was offered none');
    const text = textIn(call, next.text);
    const shown = watch === undefined ? text : watch.push(text);
    if (shown === '') continue;
    written.push(shown);
    yield { kind: 'text', text: shown };
    if (written.length > mostTokens * CHARACTERS_OF_A_TOKEN) {
      end ??= 'length';
      break;
    }
  }
  if (end === undefined) {
    const left = held();
    if (left !== '') yield { kind: 'text', text: left };
    throw call.malformed('the answer was cut off');
  }
  const rest = watch?.flush() ?? '';
  if (rest !== '') yield { kind: 'text', text: rest };
  written.push(rest);
  yield finishOf(request, watch?.isRefusal === true ? 'refusal' : end, written.toString(), usage);
}

/** After the end only the usage may be missing: then a stream that breaks off has told all of the answer. */
async function nextPiece(
  call: RemoteCall,
  iterator: AsyncIterator<RemotePiece>,
  isComplete: boolean,
): Promise<RemotePiece | ModelFailure | undefined> {
  try {
    const next = await call.wait(iterator.next());
    return next.done === true ? undefined : next.value;
  } catch (error) {
    if (isComplete && !call.signal.aborted) return undefined;
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

/** An answer without any text is a refusal: there is nothing to show. */
function finishOf(request: ChatRequest, end: RemoteEnd, written: string, usage: RemotePiece['usage']): ChatFinish {
  const isEmpty = written.trim() === '' && end === 'stop';
  const finishReason = isEmpty || end === 'tool_call' ? 'refusal' : end;
  return { kind: 'finish', finishReason, usage: usageOf(request, written, usage) };
}

function usageOf(request: ChatRequest, written: string, usage: RemotePiece['usage']): ChatUsage {
  if (usage !== undefined && isTokenCount(usage.input) && isTokenCount(usage.output)) {
    return { promptTokens: usage.input, completionTokens: usage.output, requests: 1, isEstimated: false };
  }
  const read = [
    request.instructions ?? '',
    ...request.messages.map(({ content }) => content),
    ...request.sources.map(({ text }) => text),
  ];
  const { inputTokens, outputTokens } = estimateUsage(read, { written });
  return { promptTokens: inputTokens, completionTokens: outputTokens, requests: 1, isEstimated: true };
}
