import type { ChatMessage } from '#libs/ai';
import type { DatasetInstructions } from '../../datasets/index.js';

/** The conversation behind what its datasets tell the model: of one dataset as it is, of several each with the dataset's name. */
export function withInstructions(
  told: readonly DatasetInstructions[],
  messages: readonly ChatMessage[],
): ChatMessage[] {
  if (told.length === 0) return [...messages];
  const [only, ...others] = told;
  const content =
    others.length === 0
      ? only!.instructions
      : told.map(({ name, instructions }) => `For the dataset ${JSON.stringify(name)}:\n${instructions}`).join('\n\n');
  return [{ role: 'system', content }, ...messages];
}
