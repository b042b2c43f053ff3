import { ChatModel, type ChatDelta, type ChatModelDescriptor, type ChatRequest, type ModelCallOptions } from '#libs/ai';

/** Writes the same text for every request, or fails by the same error; remembers what it was asked. */
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

  constructor(public says: string | Error) {
    super();
  }

  async *stream(request: ChatRequest, options?: ModelCallOptions): AsyncGenerator<ChatDelta> {
    this.requests.push(request);
    this.purposes.push(options?.caller?.purpose);
    if (this.says instanceof Error) throw this.says;
    yield { kind: 'text', text: this.says };
    yield { kind: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
  }
}
