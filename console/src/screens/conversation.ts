import { fetchRoute, type Schema } from '../api/client';
import { eventsOf } from '../api/event-stream';
import { Problem } from '../api/problem';

type Piece = Schema<'ChatCompletionChunk'>;

/** A question with what has come of its answer. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  readonly text: string;
  readonly state: 'coming' | 'done' | 'stopped' | 'failed';
  readonly error?: unknown;
  readonly citations: readonly Schema<'ChatCitation'>[];
  readonly sources: readonly Schema<'ChatAnswerSource'>[];
  readonly grounding?: Schema<'ChatGrounding'> | undefined;
  readonly refusal?: Schema<'ChatRefusal'> | undefined;
}

/** A conversation in memory: it lives on while other pages are looked at. */
export class Conversation {
  private turns: readonly Turn[] = [];
  private readonly listeners = new Set<() => void>();
  private running: AbortController | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): readonly Turn[] => this.turns;

  stop(): void {
    this.running?.abort();
  }

  clear(): void {
    this.stop();
    this.set([]);
  }

  /** Asks over these datasets, with what was said before. */
  async ask(question: string, datasetIds: readonly string[]): Promise<void> {
    if (this.running !== undefined) return;
    const running = new AbortController();
    this.running = running;
    const id = (this.turns.at(-1)?.id ?? 0) + 1;
    const messages = this.turns
      .filter(({ state }) => state === 'done')
      .flatMap((turn) => [
        { role: 'user' as const, content: turn.question },
        { role: 'assistant' as const, content: turn.text },
      ]);
    const turn: Turn = { id, question, text: '', state: 'coming', citations: [], sources: [] };
    this.set([...this.turns, turn]);
    try {
      await this.receive(id, [...messages, { role: 'user' as const, content: question }], datasetIds, running.signal);
      this.patch(id, { state: 'done' });
    } catch (error) {
      this.patch(id, running.signal.aborted ? { state: 'stopped' } : { state: 'failed', error });
    } finally {
      this.running = undefined;
      this.set([...this.turns]);
    }
  }

  private async receive(
    id: number,
    messages: readonly { role: 'user' | 'assistant'; content: string }[],
    datasetIds: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const response = await fetchRoute('api/v1/chat/completions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ messages, dataset_ids: datasetIds, stream: true }),
      signal,
    });
    let text = '';
    for await (const { event, data } of eventsOf(textOf(response))) {
      if (data === '[DONE]') return;
      const body: unknown = JSON.parse(data);
      if (event === 'error') throw new Problem(500, body as ConstructorParameters<typeof Problem>[1]);
      const piece = body as Piece;
      text += piece.choices[0]?.delta.content ?? piece.choices[0]?.delta.refusal ?? '';
      this.patch(id, {
        text,
        ...(piece.sources === undefined ? {} : { sources: piece.sources }),
        ...(piece.citations === undefined ? {} : { citations: piece.citations }),
        ...(piece.grounding === undefined ? {} : { grounding: piece.grounding ?? undefined }),
        ...(piece.refusal === undefined ? {} : { refusal: piece.refusal ?? undefined }),
      });
    }
  }

  private patch(id: number, change: Partial<Turn>): void {
    this.set(this.turns.map((turn) => (turn.id === id ? { ...turn, ...change } : turn)));
  }

  private set(turns: readonly Turn[]): void {
    this.turns = turns;
    for (const listener of this.listeners) listener();
  }
}

const conversations = new Map<string, Conversation>();

/** The conversation of a place: a dataset's id, or `''` for all of them. */
export function conversationOf(place: string): Conversation {
  const known = conversations.get(place) ?? new Conversation();
  conversations.set(place, known);
  return known;
}

/** The text of an answer, piece by piece. Not every browser lets a stream be iterated. */
async function* textOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
