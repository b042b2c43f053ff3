import type { ChatSource } from '../chat-model.port.js';

/** Format characters that scripts need to be written rightly. */
const JOINERS = new Set(['\u200c', '\u200d']);
/** What models and their servers take for the frame of a conversation, and not for text. */
const FRAMES =
  /<\|[^|<>]{0,64}\|>|<\/?s>|<<\/?SYS>>|\[\/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<\/?(?:start|end)_of_turn>/gi;
const TAGS = /<(?=\/?(?:sources?|system|user|assistant|developer|instructions?|tool|prompt)\b)/gi;

/**
 * Text of a document for a prompt: readable as before, but without effect as markup. Invisible characters (zero-width, direction, tags) are left
 * out, and markers of conversations are broken by a space.
 */
export function escapeSource(text: string): string {
  return text
    .replace(/\p{Cf}/gu, (character) => (JOINERS.has(character) ? character : ''))
    .replace(FRAMES, (frame) => `${frame[0]} ${frame.slice(1)}`)
    .replace(TAGS, '< ');
}

/** A title: escaped, on one line, without quotation marks, of bounded length. */
export function escapeTitle(title: string): string {
  return escapeSource(title)
    .replace(/[\s\p{Cc}"<>]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

/** Where a source is: its title and the headings above it, each escaped as a title. */
export function placeOf({ title, headings = [] }: Pick<ChatSource, 'title' | 'headings'>): string {
  return [title, ...headings].map(escapeTitle).join(' › ');
}
