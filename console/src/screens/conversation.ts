import { textOf } from '../api/answer-text';
import { api, dataOf, fetchRoute, type Schema } from '../api/client';
import { eventsOf } from '../api/event-stream';
import { Problem } from '../api/problem';
import { chosenTenant, serviceBack } from '../api/session';
import { readTurns, viewOf, type KeptTurn } from './kept-turns';

type Piece = Schema<'ChatCompletionChunk'>;
export type Feedback = Schema<'FeedbackRequest'>;

/** A question with what has come of its answer. */
export interface Turn {
  /** Of the page alone. */
  readonly id: number;
  readonly question: string;
  /** What was searched for: of a follow-up the question with words of earlier ones. Unknown of an answer that was kept. */
  readonly query?: string | undefined;
  readonly datasetIds: readonly string[];
  readonly text: string;
  readonly state: 'coming' | 'done' | 'stopped' | 'failed';
  readonly error?: unknown;
  /** The service went away in the middle: it is asked again when the service is back. */
  readonly isWaiting?: boolean;
  /** Where the service keeps it. */
  readonly turnId?: string | undefined;
  /** Of an answer that has ended. */
  readonly requestId?: string | undefined;
  readonly citations: readonly Schema<'ChatCitation'>[];
  readonly sources: readonly Schema<'ChatAnswerSource'>[];
  readonly grounding?: Schema<'ChatGrounding'> | undefined;
  readonly refusal?: Schema<'ChatRefusal'> | undefined;
  readonly table?: Schema<'ChatTableReading'> | undefined;
  readonly withheld?: Schema<'WithheldAnswer'> | undefined;
  readonly feedback?: Schema<'TurnFeedback'> | undefined;
  /** The link to its answer. */
  readonly share?: Schema<'AnswerShare'> | undefined;
}

/** What a page shows of a conversation. */
export interface Shown {
  /** Undefined until its first question is asked. */
  readonly id?: string | undefined;
  readonly title: string | null;
  readonly turns: readonly Turn[];
  /** Where the turns before these end; null where there are none. */
  readonly previous: number | null;
  readonly isReady: boolean;
  readonly error?: unknown;
}

const EMPTY: Shown = { title: null, turns: [], previous: null, isReady: true };
/** The conversation of the address is not there any more. */
const GONE = 'conversations.not_found';
const SHARE = '/api/v1/conversations/{conversation_id}/turns/{turn_id}/share';

/** A conversation that the service keeps, and the answer that is under way. It lives on while other pages are looked at. */
export class Conversation {
  private shown: Shown = EMPTY;
  private last = 0;
  private readonly listeners = new Set<() => void>();
  private running: AbortController | undefined;
  /** The last rating that was sent. */
  private rated: Promise<unknown> = Promise.resolve();

  constructor(private readonly onBegun: (id: string) => void) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): Shown => this.shown;

  stop(): void {
    this.running?.abort();
  }

  /** Reads the newest turns of one that was begun before. */
  async load(id: string): Promise<void> {
    this.set({ ...EMPTY, id, isReady: false });
    try {
      const { title, turns, previous } = await readTurns(id);
      this.set({ ...EMPTY, id, title, turns: turns.map(this.turnOf), previous });
    } catch (error) {
      this.set({ ...EMPTY, id, isReady: false, error });
    }
  }

  /** Reads the turns before those that are shown. */
  async loadEarlier(): Promise<void> {
    const { id, previous } = this.shown;
    if (id === undefined || previous === null) return;
    const earlier = await readTurns(id, previous);
    const turns = [...earlier.turns.map(this.turnOf), ...this.shown.turns];
    this.set({ ...this.shown, turns, previous: earlier.previous });
  }

  /** Asks over these datasets. Where the service goes away in the middle, once more when it is back. */
  async ask(question: string, datasetIds: readonly string[], isSecond = false): Promise<void> {
    if (this.running !== undefined) return;
    const running = new AbortController();
    this.running = running;
    const id = (this.last += 1);
    const turn: Turn = { id, question, datasetIds, text: '', state: 'coming', citations: [], sources: [] };
    this.set({ ...this.shown, title: this.shown.title ?? question, turns: [...this.shown.turns, turn] });
    try {
      const conversationId = this.shown.id ?? (await this.begin(running.signal));
      await this.receive(turn, conversationId, running.signal);
      this.patch(id, { state: 'done' });
    } catch (error) {
      if (error instanceof Problem && error.code === GONE) this.set({ ...this.shown, id: undefined });
      const isWaiting = !isSecond && error instanceof Problem && error.status === 0;
      this.patch(id, running.signal.aborted ? { state: 'stopped' } : { state: 'failed', error, isWaiting });
      if (isWaiting && !running.signal.aborted) void this.goOnWhenBack(id);
    } finally {
      this.running = undefined;
      this.set({ ...this.shown });
    }
  }

  private async goOnWhenBack(id: number): Promise<void> {
    await serviceBack();
    const turn = this.shown.turns.find((one) => one.id === id);
    // It was asked again by hand, or another question is under way.
    if (turn === undefined || this.running !== undefined) return this.patch(id, { isWaiting: false });
    this.set({ ...this.shown, turns: this.shown.turns.filter((one) => one !== turn) });
    return this.ask(turn.question, turn.datasetIds, true);
  }

  /** Asks again what has failed, in its place; what has an answer is asked once more below. */
  async again(turn: Turn, datasetIds: readonly string[]): Promise<void> {
    if (this.running !== undefined) return;
    if (turn.state === 'failed')
      this.set({ ...this.shown, turns: this.shown.turns.filter(({ id }) => id !== turn.id) });
    await this.ask(turn.question, datasetIds);
  }

  /** Says what one thinks of an answer. Ratings are sent one behind the other: the last word counts. */
  async rate({ id, requestId }: Turn, body: Feedback): Promise<void> {
    const path = { request_id: requestId! };
    const sent = this.rated.then(() =>
      dataOf(api.POST('/api/v1/requests/{request_id}/feedback', { params: { path }, body })),
    );
    this.rated = sent.catch(() => undefined);
    const { rating, reason, expected } = await sent;
    this.patch(id, { feedback: { rating, reason, expected } });
  }

  /** Makes the link to an answer. */
  async share({ id, turnId }: Turn): Promise<void> {
    this.patch(id, { share: await dataOf(api.POST(SHARE, { params: { path: this.pathOf(turnId!) } })) });
  }

  /** Ends the link to an answer. */
  async revoke({ id, turnId }: Turn): Promise<void> {
    await api.DELETE(SHARE, { params: { path: this.pathOf(turnId!) } });
    this.patch(id, { share: undefined });
  }

  private pathOf(turnId: string): { readonly conversation_id: string; readonly turn_id: string } {
    return { conversation_id: this.shown.id!, turn_id: turnId };
  }

  private async begin(signal: AbortSignal): Promise<string> {
    const { id } = await dataOf(api.POST('/api/v1/conversations', { body: {}, signal }));
    this.set({ ...this.shown, id });
    this.onBegun(id);
    return id;
  }

  private async receive(
    { id, question, datasetIds }: Turn,
    conversationId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const response = await fetchRoute('api/v1/chat/completions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        conversation_id: conversationId,
        messages: [{ role: 'user', content: question }],
        dataset_ids: datasetIds,
        stream: true,
      }),
      signal,
    });
    let text = '';
    for await (const { event, data } of eventsOf(textOf(response, signal))) {
      if (data === '[DONE]') return;
      const body: unknown = JSON.parse(data);
      if (event === 'error') throw endedBy(body as ProblemBody);
      const piece = body as Piece;
      text += piece.choices[0]?.delta.content ?? piece.choices[0]?.delta.refusal ?? '';
      this.patch(id, { text, ...factsOf(piece) });
    }
    // A whole stream says its end: this one was cut.
    throw new Problem(0, undefined);
  }

  private readonly turnOf = (kept: KeptTurn): Turn => ({ id: (this.last += 1), ...viewOf(kept) });

  private patch(id: number, change: Partial<Turn>): void {
    const turns = this.shown.turns.map((turn) => (turn.id === id ? { ...turn, ...change } : turn));
    this.set({ ...this.shown, turns });
  }

  private set(shown: Shown): void {
    this.shown = shown;
    for (const listener of this.listeners) listener();
  }
}

const conversations = new Map<string, Conversation>();
const placeListeners = new Set<() => void>();
const keyOf = (name: string): string => `${chosenTenant() ?? ''} ${name}`;
const keyOfPlace = (place: string): string => keyOf(`at ${place}`);

/** The conversation with an id; without one the last that was begun at a place: a dataset's id, or `''` for all of them. */
export function conversationOf(place: string, id?: string): Conversation {
  const key = id === undefined ? keyOfPlace(place) : keyOf(id);
  const known = conversations.get(key);
  if (known !== undefined) return known;
  const made: Conversation = new Conversation((begun) => conversations.set(keyOf(begun), made));
  conversations.set(key, made);
  return made;
}

/** The next question at this place begins another conversation. */
export function leaveAt(place: string): void {
  conversations.delete(keyOfPlace(place));
}

/** The same at once, for pages that show the place already. */
export function beginAt(place: string): void {
  leaveAt(place);
  for (const listener of placeListeners) listener();
}

/** Hears of every conversation that is begun at a place. */
export function subscribePlaces(listener: () => void): () => void {
  placeListeners.add(listener);
  return () => placeListeners.delete(listener);
}

/** One that is renamed or deleted: what is known of it is read again. */
export function forgetConversation(id: string): void {
  for (const [key, one] of conversations) if (one.current().id === id) conversations.delete(key);
}

/** What a piece of a stream says beside its text. */
function factsOf(piece: Piece): Partial<Turn> {
  return {
    ...(piece.request_id === undefined ? {} : { requestId: piece.request_id }),
    ...(piece.sources === undefined ? {} : { sources: piece.sources }),
    ...(piece.citations === undefined ? {} : { citations: piece.citations }),
    ...(piece.grounding === undefined ? {} : { grounding: piece.grounding ?? undefined }),
    ...(piece.refusal === undefined ? {} : { refusal: piece.refusal ?? undefined }),
    ...(piece.retrieval === undefined
      ? {}
      : { query: piece.retrieval.query, table: piece.retrieval.table ?? undefined }),
    ...(piece.conversation === undefined ? {} : { turnId: piece.conversation.turn_id ?? undefined }),
  };
}

type ProblemBody = NonNullable<ConstructorParameters<typeof Problem>[1]> & { readonly status?: number };

const endedBy = (body: ProblemBody): Problem => new Problem(body.status ?? 500, body);
