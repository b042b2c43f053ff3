interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** OpenAI's content parts as one text, joined with line breaks; anything else as it is, for validation to judge. */
export function joinTextParts(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0 || !content.every(isTextPart)) return content;
  return content.map((part) => part.text).join('\n');
}

function isTextPart(part: unknown): part is TextPart {
  if (typeof part !== 'object' || part === null) return false;
  const { type, text } = part as Partial<Record<keyof TextPart, unknown>>;
  return type === 'text' && typeof text === 'string' && /\S/u.test(text);
}
