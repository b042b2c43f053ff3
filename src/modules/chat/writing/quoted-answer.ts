import type { ChatModel, ModelCallOptions } from '#libs/ai';
import type { DecidedTurn } from './turn-decision.js';

/**
 * Whether a turn is answered, as far as that can be told without paying a model: one that quotes is asked whether it finds a sentence,
 * one that writes is given what reaches the bar and decides by itself.
 */
export async function isAnswered(
  model: ChatModel,
  { next }: Pick<DecidedTurn, 'next'>,
  options: ModelCallOptions,
): Promise<boolean> {
  if (next.kind !== 'ask' || model.descriptor.kind !== 'extractive') return next.kind !== 'refuse';
  for await (const delta of model.stream(next.request, options)) {
    if (delta.kind === 'finish') return delta.finishReason !== 'refusal';
  }
  return false;
}
