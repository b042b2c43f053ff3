import { GrowingText } from '#libs/common';
import type { ChatDelta, ChatFinish, ChatRequest, ChatUsage } from '../chat-model.port.js';
import { estimateUsage } from '../estimate-usage.js';
import { ModelFailure } from '../model-failure.js';
import { isTokenCount } from '../model-usage.js';
import { RefusalWatch } from '../prompt/refusal-watch.js';
import type { RemoteCall } from './remote-call.js';

/** How a provider ended its answer. */
export type RemoteEnd = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_call';

/** One step of a provider's stream, freed of its protocol. */
export interface RemotePiece {
  readonly text?: string;
  readonly end?: RemoteEnd;
  readonly usage?: { readonly input: number; readonly output: number };
}

/**
 * Makes the events of the port of what a provider sends, and sees to it that there is exactly one end. `held` gives what has come and is
 * still held back: it belongs to an answer that breaks off.
 * @throws ModelFailure for an answer that stops without an end, or that asks for a tool
 */
export async function* chatDeltas(
  call: RemoteCall,
  request: ChatRequest,
  pieces: AsyncIterable<RemotePiece>,
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
    const shown = watch === undefined ? (next.text ?? '') : watch.push(next.text ?? '');
    if (shown === '') continue;
    written.push(shown);
    yield { kind: 'text', text: shown };
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
