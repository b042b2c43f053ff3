import type { ChatModel, ModelCallOptions } from '#libs/ai';
import type { DecidedTurn } from './turn-decision.js';

/**
 * Whether a turn is answered, as far as that is known without a paid call: a model that quotes is tried; for a model that writes only the
 * evidence is checked, since it decides by itself.
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
