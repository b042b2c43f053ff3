/** The parts of a chunk that are embedded. */
export interface TextToEmbed {
  readonly body: string;
  readonly heading_path: readonly string[];
  readonly context: string | null;
}

/**
 * The text to embed: headings and the line about the chunk come first, because they say what it is about. The shown text does not change.
 */
export function textToEmbed({ body, heading_path: headings, context }: TextToEmbed): string {
  return [headings.join(' > '), context ?? '', body].filter((part, at) => at === 2 || part !== '').join('\n');
}
