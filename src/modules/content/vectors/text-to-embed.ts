/** What of a chunk is embedded. */
export interface TextToEmbed {
  readonly body: string;
  readonly heading_path: readonly string[];
  readonly context: string | null;
}

/** The headings above a chunk, and the line about it, say what it is about; the shown text stays as it is. */
export function textToEmbed({ body, heading_path: headings, context }: TextToEmbed): string {
  return [headings.join(' > '), context ?? '', body].filter((part, at) => at === 2 || part !== '').join('\n');
}
