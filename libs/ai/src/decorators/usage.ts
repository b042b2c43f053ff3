import { GrowingText } from '#libs/common';
import { countTokens } from '#libs/text';
import type { ChatModel, ChatRequest, ChatUsage } from '../chat-model.port.js';
import type { Embedder } from '../embedder.port.js';
import { mostTokensOf } from '../estimate-usage.js';
import type { ModelCaller, ModelUsage } from '../model-call.js';
import type { ModelLedger, PlannedCall, ReservedCall } from '../model-ledger.port.js';
import { ModelFailure } from '../model-failure.js';
import type { Reranker } from '../reranker.port.js';
import { replaceMethods } from './model-guard.js';

/** Counts calls of an embedding model. Calls without a caller pass through. */
export function meterEmbedder(inner: Embedder, ledger: ModelLedger): Embedder {
  const { provider, model, maxInputTokens } = inner.descriptor;
  const embed: Embedder['embed'] = async (texts, purpose, options = {}) => {
    if (options.caller === undefined || texts.length === 0) return inner.embed(texts, purpose, options);
    const inputTokens = texts.reduce((sum, text) => sum + Math.min(maxInputTokens, mostTokensOf([text])), 0);
    const estimate = { inputTokens, outputTokens: 0 };
    const planned: PlannedCall = { port: 'embedding', provider, model, caller: options.caller, estimate };
    return settled(await ledger.reserve(planned), () => inner.embed(texts, purpose, options));
  };
  return replaceMethods(inner, { embed });
}

/** Counts calls of a reranking model. */
export function meterReranker(inner: Reranker, ledger: ModelLedger): Reranker {
  const { provider, model } = inner.descriptor;
  const rerank: Reranker['rerank'] = async (query, documents, options = {}) => {
    if (options.caller === undefined || documents.length === 0) return inner.rerank(query, documents, options);
    const asked = mostTokensOf([query]);
    const inputTokens = documents.reduce((sum, { text }) => sum + asked + mostTokensOf([text]), 0);
    const estimate = { inputTokens, outputTokens: 0 };
    const planned: PlannedCall = { port: 'rerank', provider, model, caller: options.caller, estimate };
    return settled(await ledger.reserve(planned), () => inner.rerank(query, documents, options));
  };
  return replaceMethods(inner, { rerank });
}

/** Counts answers of a chat model; of one that is left before its end, what was asked and what came. */
export function meterChatModel(inner: ChatModel, ledger: ModelLedger): ChatModel {
  const { descriptor } = inner;
  const stream: ChatModel['stream'] = (request, options = {}) =>
    options.caller === undefined ? inner.stream(request, options) : counted(request, options, options.caller);
  async function* counted(
    request: ChatRequest,
    options: NonNullable<Parameters<ChatModel['stream']>[1]>,
    caller: ModelCaller,
  ): ReturnType<ChatModel['stream']> & AsyncGenerator {
    options.signal?.throwIfAborted();
    const { provider, model } = descriptor;
    const estimate = estimateAnswer(request, descriptor);
    const reserved = await ledger.reserve({ port: 'chat', provider, model, caller, estimate });
    const written = new GrowingText();
    let told: ChatUsage | undefined;
    try {
      for await (const delta of inner.stream(request, options)) {
        if (delta.kind === 'text') written.push(delta.text);
        else told = delta.usage;
        yield delta;
      }
    } finally {
      if (told !== undefined) await reserved.settle(usageOf(told));
      else if (written.length === 0) await reserved.release();
      else await reserved.settle(usageOfCut(request, written.toString()));
    }
  }
  return replaceMethods(inner, { stream });
}

async function settled<T extends { readonly usage: ModelUsage }>(
  reserved: ReservedCall,
  work: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const spent = error instanceof ModelFailure ? error.spent : undefined;
    await (spent === undefined ? reserved.release() : reserved.settle(spent));
    throw error;
  }
  await reserved.settle(result.usage);
  return result;
}

function textsOf({ instructions = '', messages, sources }: ChatRequest): string[] {
  const given = [instructions, ...messages.map(({ content }) => content)];
  return [...given, ...sources.flatMap(({ title, text }) => [title, text])];
}

function estimateAnswer(
  request: ChatRequest,
  { maxOutputTokens: limit, defaultOutputTokens = limit }: ChatModel['descriptor'],
): PlannedCall['estimate'] {
  const inputTokens = mostTokensOf(textsOf(request));
  return { inputTokens, outputTokens: Math.min(request.maxTokens ?? defaultOutputTokens, limit) };
}

function usageOf({ promptTokens, completionTokens, requests, isEstimated }: ChatUsage): ModelUsage {
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    requests: requests ?? 1,
    isEstimated: isEstimated ?? false,
  };
}

/** A model that was stopped does not tell its usage any more. */
function usageOfCut(request: ChatRequest, written: string): ModelUsage {
  const inputTokens = textsOf(request).reduce((sum, text) => sum + countTokens(text), 0);
  return { inputTokens, outputTokens: countTokens(written), requests: 1, isEstimated: true };
}
