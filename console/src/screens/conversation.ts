import { textOf } from '../api/answer-text';
import { api, dataOf, fetchRoute, type Schema } from '../api/client';
import { eventsOf } from '../api/event-stream';
import { Problem } from '../api/problem';
import { chosenTenant, serviceBack } from '../api/session';
import { keepAsked, openQuestions, type Asked } from './asked-questions';
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
  /** The service went away before or in the middle of it: it is asked when the service is back. */
  readonly isWaiting?: boolean;
  /** The service has begun with an answer, which may be none any more for whoever reads it. */
  readonly hasBegun?: boolean;
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
const UNANSWERED = { text: '', state: 'coming', hasBegun: false, citations: [], sources: [] } as const;
/** How often the service is asked whether it has kept an answer that had begun. */
const LOOKS = 5;
const LOOK_MS = 1000;
/** The conversation of the address is not there any more. */
const GONE = 'conversations.not_found';
const SHARE = '/api/v1/conversations/{conversation_id}/turns/{turn_id}/share';

/** A conversation that the service keeps, and the answer that is under way. It lives on while other pages are looked at. */
export class Conversation {
  private shown: Shown = EMPTY;
  private last = 0;
  private readonly listeners = new Set<() => void>();
  private running: AbortController | undefined;
  private isGoingOn = false;
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
    for (const turn of this.shown.turns) if (turn.state === 'coming' && turn.isWaiting === true) this.giveUp(turn);
  }

  /** Reads the newest turns of one that was begun before, and goes on with what was asked before a reload of the page. */
  async load(id: string): Promise<void> {
    this.set({ ...EMPTY, id, isReady: false });
    try {
      const { title, turns: all, previous } = await readTurns(id);
      const turns = all.map(this.turnOf);
      const open = openQuestions(id, turns).map(this.cutOff);
      this.set({ ...EMPTY, id, title: title ?? open[0]?.question ?? null, turns: [...turns, ...open], previous });
      void this.goOn();
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

  /** Asks over these datasets, behind the questions that wait. Where the service goes away in the middle, it waits for it once. */
  async ask(question: string, datasetIds: readonly string[]): Promise<void> {
    if (this.running !== undefined) return;
    const id = (this.last += 1);
    const turn: Turn = { id, question, datasetIds, ...UNANSWERED };
    const isBehind = this.shown.turns.some(({ isWaiting }) => isWaiting);
    this.set({ ...this.shown, title: this.shown.title ?? question, turns: [...this.shown.turns, turn] });
    if (isBehind) this.patch(id, { state: 'failed', isWaiting: true });
    else await this.answer(turn, false);
    void this.goOn();
  }

  /** Asks no more by itself what waits for the service. */
  giveUp({ id }: Turn): void {
    this.patch(id, { state: 'stopped', isWaiting: false });
  }

  private async answer(turn: Turn, isSecond: boolean): Promise<void> {
    const { id, question, datasetIds } = turn;
    const running = new AbortController();
    this.running = running;
    this.put({ id, question, datasetIds, ...UNANSWERED });
    try {
      const conversationId = this.shown.id ?? (await this.begin(running.signal));
      await this.receive(turn, conversationId, running.signal);
      this.patch(id, { state: 'done' });
    } catch (error) {
      if (error instanceof Problem && error.code === GONE) this.set({ ...this.shown, id: undefined });
      const isWaiting = !isSecond && error instanceof Problem && error.status === 0;
      this.patch(id, running.signal.aborted ? { state: 'stopped' } : { state: 'failed', error, isWaiting });
    } finally {
      this.running = undefined;
      this.set({ ...this.shown });
    }
  }

  /** Goes on with what waits, one question behind the other, when the service is back. */
  private async goOn(): Promise<void> {
    if (this.isGoingOn) return;
    this.isGoingOn = true;
    try {
      while (this.nextWaiting() !== undefined) {
        await serviceBack();
        const turn = this.nextWaiting();
        // Another question is under way, which goes on with these afterwards.
        if (this.running !== undefined) return;
        if (turn !== undefined) await this.goOnWith(turn);
      }
    } finally {
      this.isGoingOn = false;
    }
  }

  /** Shows what the service has kept of a question that was cut off, and asks once more only what it has not. */
  private async goOnWith(turn: Turn): Promise<void> {
    try {
      const kept = await this.findKept(turn);
      if (this.running !== undefined || this.nextWaiting()?.id !== turn.id) return;
      if (kept === undefined) await this.answer(turn, turn.error !== undefined);
      else this.put({ id: turn.id, ...viewOf(kept) });
    } catch (error) {
      this.patch(turn.id, { error, isWaiting: false });
    }
  }

  /** The newest kept turn with a question. One whose answer had begun is kept when the service has noticed that nobody reads it. */
  private async findKept(turn: Turn): Promise<KeptTurn | undefined> {
    const { id, turns: all } = this.shown;
    if (id === undefined || turn.error === undefined) return undefined;
    const known = new Set(all.map(({ turnId }) => turnId));
    const same = all.filter((one) => one.id !== turn.id && one.question === turn.question && one.turnId === undefined);
    // Of the same question before, when its answer was broken off; without a word nothing is kept.
    const before = same.filter(({ text }) => text !== '').length;
    for (let look = turn.hasBegun === true ? LOOKS : 1; look > 0; look -= 1) {
      const { turns } = await readTurns(id);
      const kept = turns.filter((one) => one.question === turn.question && !known.has(one.id));
      if (kept.length > before) return kept.at(-1);
      if (look > 1) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return undefined;
  }

  private nextWaiting(): Turn | undefined {
    return this.shown.turns.find(({ isWaiting }) => isWaiting);
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
    this.patch(id, { hasBegun: true });
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

  private readonly cutOff = (asked: Asked): Turn => ({
    id: (this.last += 1),
    ...UNANSWERED,
    ...asked,
    error: new Problem(0, undefined),
    isWaiting: true,
  });

  private patch(id: number, change: Partial<Turn>): void {
    const turn = this.shown.turns.find((one) => one.id === id);
    if (turn !== undefined) this.put({ ...turn, ...change });
  }

  private put(turn: Turn): void {
    this.set({ ...this.shown, turns: this.shown.turns.map((one) => (one.id === turn.id ? turn : one)) });
  }

  private set(shown: Shown): void {
    this.shown = shown;
    if (shown.id !== undefined && shown.isReady) keepAsked(shown.id, shown.turns);
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
