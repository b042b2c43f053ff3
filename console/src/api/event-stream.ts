/** An event of a stream (SSE); `event` is `message` where the stream names none. */
export interface StreamEvent {
  /** Where a reader goes on, where the stream says it. */
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Events of a stream as they come, whatever pieces they come in. Comments, such as heartbeats, are none. */
export async function* eventsOf(pieces: AsyncIterable<string>): AsyncGenerator<StreamEvent> {
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const read = eventOf(block);
      if (read !== undefined) yield read;
    }
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const lines = block.split(/\r?\n/);
  const valuesOf = (field: string): string[] =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  const data = valuesOf('data');
  if (data.length === 0) return undefined;
  const id = valuesOf('id').at(-1);
  return { ...(id === undefined ? {} : { id }), event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') };
}
