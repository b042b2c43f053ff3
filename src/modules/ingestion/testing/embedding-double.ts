import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Embedder, ModelFailure, type EmbeddedTexts, type ModelCallOptions } from '#libs/ai';

const DIMENSIONS = 8;

/** Response of the double to a request. */
export interface DoubleAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An embedding provider as a real HTTP server, which refuses requests as a test says. A refusal repeats the key of the request. */
export class EmbeddingDouble {
  /** Response instead of vectors; undefined: vectors. */
  refuse: () => DoubleAnswer | undefined = () => undefined;
  /** Texts for which vectors were returned, in order. */
  readonly embedded: string[] = [];
  requests = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EmbeddingDouble> {
    const server = createServer();
    const double = new EmbeddingDouble(server);
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        double.requests += 1;
        const refusal = double.refuse();
        if (refusal !== undefined) {
          response.writeHead(refusal.status, refusal.headers);
          response.end(refusal.body ?? `key ${request.headers.authorization} is over its limit`);
          return;
        }
        const { texts } = JSON.parse(Buffer.concat(pieces).toString()) as { texts: string[] };
        double.embedded.push(...texts);
        response.end(JSON.stringify({ vectors: texts.map(vectorOf), tokens: texts.length * 10 }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function vectorOf(text: string): number[] {
  const numbers = Array.from({ length: DIMENSIONS }, (_, n) => 1 + ((text.charCodeAt(n % text.length) || 0) % 17));
  const length = Math.hypot(...numbers);
  return numbers.map((one) => one / length);
}

/** Embedder that calls the double like an adapter calls its provider. */
export class DoubleEmbedder extends Embedder {
  readonly descriptor = {
    provider: 'double',
    model: 'vectors',
    dimensions: DIMENSIONS,
    space: 'double-vectors-8',
    kind: 'semantic',
    maxBatchSize: 16,
    maxInputTokens: 8_000,
  } as const;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    super();
  }

  async embed(texts: readonly string[], _purpose: unknown, options: ModelCallOptions = {}): Promise<EmbeddedTexts> {
    const { provider, model } = this.descriptor;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}` },
      body: JSON.stringify({ texts }),
      signal: options.signal ?? null,
    });
    const body = await response.text();
    if (!response.ok) {
      const seconds = response.headers.get('retry-after');
      const kinds = { 429: 'rate_limited', 500: 'unavailable' } as Readonly<
        Record<number, 'rate_limited' | 'unavailable'>
      >;
      throw new ModelFailure({
        kind: kinds[response.status] ?? 'rejected',
        provider,
        model,
        status: response.status,
        retryAfterMs: seconds === null ? null : Number(seconds) * 1_000,
        words: body,
        secrets: [this.key],
      });
    }
    const { vectors, tokens } = JSON.parse(body) as { vectors: number[][]; tokens: number };
    const usage = { inputTokens: tokens, outputTokens: 0, requests: 1, isEstimated: false };
    return { vectors: vectors.map((one) => Float32Array.from(one)), usage };
  }
}
