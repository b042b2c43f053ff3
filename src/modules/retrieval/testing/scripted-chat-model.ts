import { ChatModel, type ChatDelta, type ChatModelDescriptor, type ChatRequest, type ModelCallOptions } from '#libs/ai';

/** Writes the same text for every request, or fails by the same error, at once or when it is let; remembers what it was asked. */
export class ScriptedChatModel extends ChatModel {
  readonly descriptor: ChatModelDescriptor = {
    provider: 'scripted',
    model: 'writer',
    kind: 'generative',
    contextTokens: 8_000,
    maxOutputTokens: 1_000,
    readsHistory: true,
    supports: { jsonObject: true, jsonSchema: true, seed: true },
  };
  readonly requests: ChatRequest[] = [];
  readonly purposes: (string | undefined)[] = [];
  readonly signals: AbortSignal[] = [];
  private gate: PromiseWithResolvers<void> | null = null;
  private readonly awaited: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(public says: string | Error) {
    super();
  }

  /** From now on nothing is written until `go`. */
  hold(): void {
    this.gate = Promise.withResolvers();
  }

  go(): void {
    this.gate?.resolve();
    this.gate = null;
  }

  /** Resolves when it has been asked so often. */
  untilAsked(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.requests.length >= count) resolve();
      else this.awaited.push({ count, resolve });
    });
  }

  async *stream(request: ChatRequest, options?: ModelCallOptions): AsyncGenerator<ChatDelta> {
    this.requests.push(request);
    this.purposes.push(options?.caller?.purpose);
    if (options?.signal !== undefined) this.signals.push(options.signal);
    for (const { count, resolve } of this.awaited) if (this.requests.length >= count) resolve();
    await this.gate?.promise;
    if (this.says instanceof Error) throw this.says;
    yield { kind: 'text', text: this.says };
    yield { kind: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
  }
}
