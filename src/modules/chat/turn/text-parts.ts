/** Kinds of parts of a message that are ignored: the refusal of an earlier answer. */
const READ_OVER: readonly unknown[] = ['refusal'];

/**
 * The content of a message as one text: OpenAI's text parts are joined with line breaks, and null is an empty text. Other values are returned
 * unchanged, for the validation.
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
    return type === 'text' ? 'a text part must contain text' : `${type.slice(0, 64)} parts are not supported`;
  }
  return undefined;
}
