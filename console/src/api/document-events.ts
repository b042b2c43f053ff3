import { eventsOf } from './event-stream';
import { ROOT } from './root';
import { chosenTenant, credentialHeaders, renewSession, serviceBack } from './session';
import type { Schema } from './client';

/** What happens to the documents of a dataset; `documents.reset`: read the list again. */
export type DocumentEvent =
  | { readonly type: 'document.changed'; readonly document: Schema<'DocumentListItem'> }
  | { readonly type: 'document.deleted'; readonly document_id: string }
  | { readonly type: 'documents.reset' };

export interface DocumentFollower {
  readonly onEvent: (event: DocumentEvent) => void;
  /** Whether changes are told at present; while they are not, lists have to be asked for. */
  readonly onLive: (isLive: boolean) => void;
}

/** What tabs tell each other: an event with its id, whether there is a stream, and whoever comes later asks for that. */
type Message =
  { readonly event: DocumentEvent; readonly id: string } | { readonly isLive: boolean } | { readonly isAsked: true };

const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Follows the documents of a dataset until the function that is returned is called. Tabs share one stream, because HTTP/1.1 gives a browser six
 * connections: who has the lock reads it and tells the others, and when that tab closes the next one goes on behind the last event.
 */
export function followDocuments(datasetId: string, follower: DocumentFollower): () => void {
  const left = new AbortController();
  const name = `kb.documents ${ROOT.pathname} ${chosenTenant() ?? ''} ${datasetId}`;
  const channel = new BroadcastChannel(name);
  const feed = new Feed(datasetId, follower, channel);
  channel.onmessage = ({ data }: MessageEvent<Message>) => feed.hear(data);
  channel.postMessage({ isAsked: true } satisfies Message);
  const locks = navigator.locks as LockManager | undefined;
  // Pages without TLS have no locks: each tab has its own stream then.
  const reading =
    locks === undefined
      ? feed.read(left.signal)
      : locks.request(name, { signal: left.signal }, () => feed.read(left.signal));
  reading.catch(() => undefined);
  return () => {
    left.abort();
    channel.close();
  };
}

class Feed {
  private lastId: string | undefined;
  private isLive = false;
  private isReader = false;

  constructor(
    private readonly datasetId: string,
    private readonly follower: DocumentFollower,
    private readonly channel: BroadcastChannel,
  ) {}

  /** What another tab tells. */
  hear(message: Message): void {
    if ('isAsked' in message) {
      if (this.isReader) this.channel.postMessage({ isLive: this.isLive } satisfies Message);
    } else if ('isLive' in message) {
      this.note(message.isLive);
    } else {
      this.take(message.event, message.id);
    }
  }

  /** Reads the stream for all tabs, again and again, until `signal` is aborted. */
  async read(signal: AbortSignal): Promise<void> {
    this.isReader = true;
    let pause = SHORTEST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.readOnce(signal, () => {
          pause = SHORTEST_PAUSE_MS;
        });
      } catch {
        // The stream is only the quick way: lists are asked for meanwhile, and say what is wrong.
        if (!signal.aborted) void serviceBack();
      }
      this.share({ isLive: false });
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }

  private async readOnce(signal: AbortSignal, onOpen: () => void): Promise<void> {
    const credential = credentialHeaders();
    const resumed: Readonly<Record<string, string>> = this.lastId === undefined ? {} : { 'Last-Event-ID': this.lastId };
    const response = await fetch(new URL(`api/v1/datasets/${this.datasetId}/documents/events`, ROOT), {
      headers: { ...credential, ...resumed, Accept: 'text/event-stream' },
      signal,
    });
    if (response.status === 401) await renewSession(credential);
    if (!response.ok || response.body === null) return;
    for await (const { id, event, data } of eventsOf(textOf(response.body))) {
      if (event === 'error' || id === undefined) return;
      if (event === 'documents.ready') {
        onOpen();
        // What has changed before the first stream was opened is in no event.
        if (this.lastId === undefined) this.share({ event: { type: 'documents.reset' }, id });
        else this.lastId = id;
        this.share({ isLive: true });
      } else {
        this.share({ event: { type: event, ...(JSON.parse(data) as object) } as DocumentEvent, id });
      }
    }
  }

  private share(message: Exclude<Message, { readonly isAsked: true }>): void {
    try {
      this.channel.postMessage(message);
    } catch {
      // It is closed: the page was left.
      return;
    }
    if ('isLive' in message) this.note(message.isLive);
    else this.take(message.event, message.id);
  }

  private note(isLive: boolean): void {
    this.isLive = isLive;
    this.follower.onLive(isLive);
  }

  private take(event: DocumentEvent, id: string): void {
    this.lastId = id;
    this.follower.onEvent(event);
  }
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
