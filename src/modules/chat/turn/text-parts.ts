/** Kinds of parts of a message that are read over: what an earlier answer declined to say. */
const READ_OVER: readonly unknown[] = ['refusal'];

/**
 * The content of a message as one text: OpenAI's text parts joined with line breaks, null as an empty text. Anything else as it is, for
 * validation to judge.
 */
export function joinTextParts(content: unknown): unknown {
  if (content === null) return '';
  if (!Array.isArray(content) || unreadPart(content) !== undefined) return content;
  return content
    .map((part: { text?: string }) => part.text ?? '')
    .filter((text) => text.trim() !== '')
    .join('\n');
}

/** Why a list of parts is not read, or undefined when all of them are. */
export function unreadPart(content: readonly unknown[]): string | undefined {
  for (const part of content) {
    const { type, text } = (typeof part === 'object' && part !== null ? part : {}) as Record<string, unknown>;
    if (READ_OVER.includes(type) || (type === 'text' && typeof text === 'string')) continue;
    if (typeof type !== 'string') return 'a part of content must be {type: "text", text}';
    return type === 'text' ? 'a text part must hold text' : `${type.slice(0, 64)} parts are not read`;
  }
  return undefined;
}
