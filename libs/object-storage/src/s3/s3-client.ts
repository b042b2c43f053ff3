import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { boundAnswers, waitedFor } from './bounded-answers.js';

/** How the server is reached. */
export interface S3Connection {
  /** Undefined: AWS. */
  readonly endpoint: string | undefined;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

type Retries = Extract<NonNullable<S3ClientConfig['retryStrategy']>, { acquireInitialRetryToken: unknown }>;
type RetryToken = Awaited<ReturnType<Retries['acquireInitialRetryToken']>>;

const CONNECT_MS = 5_000;
/** From the last byte of a request to the last of an answer that carries nothing of use. */
const ANSWER_MS = 5_900;
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
/** A server is asked again only while its refusals came soon: those who wait for an upload are told within ten seconds. */
const LONGEST_WAITS_MS = 3_000;

/**
 * A client with connections of its own. A connection without a byte for `idleMs` is closed, and the call has failed. A call is not repeated when
 * the server was silent or its refusal was incomplete; it is repeated after a broken connection or a temporary refusal.
 */
export function openS3Client(
  { endpoint, region, accessKeyId, secretAccessKey }: S3Connection,
  { idleMs, connections }: { readonly idleMs: number; readonly connections: number },
): S3Client {
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    region,
    credentials: { accessKeyId, secretAccessKey },
    retryStrategy: retries(),
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: idleMs,
      httpAgent: { maxSockets: connections, keepAlive: true },
      httpsAgent: { maxSockets: connections, keepAlive: true },
    },
    // Content is sent at once: a silent server would be waited for twice.
    expectContinueHeader: false,
    // Not every server knows the newer checksums; what is stored is hashed on the way.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  boundAnswers(client, ANSWER_MS);
  return client;
}

/** True when nothing was heard for too long, or in the time that a call may take. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
}

function retries(): Retries {
  return {
    acquireInitialRetryToken: async () => new Token(0, 0),
    refreshRetryTokenForRetry: async (before, { error, errorType }) => {
      const attempts = before.getRetryCount() + 1;
      const waitedMs = (before as Token).waitedMs + waitedFor(error);
      const isLast = attempts >= ATTEMPTS || waitedMs > LONGEST_WAITS_MS;
      if (isLast || errorType === 'CLIENT_ERROR' || isSilence(error)) throw new Error('no further attempt');
      return new Token(attempts, waitedMs);
    },
    recordSuccess: () => undefined,
  };
}

class Token implements RetryToken {
  /** @param waitedMs for which the answers of the attempts before were waited for */
  constructor(
    private readonly attempts: number,
    readonly waitedMs: number,
  ) {}

  getRetryCount(): number {
    return this.attempts;
  }

  /** Pauses double, and half of each is left to chance. */
  getRetryDelay(): number {
    const longest = this.attempts === 0 ? 0 : FIRST_PAUSE_MS * 2 ** this.attempts;
    return (longest * (1 + Math.random())) / 2;
  }
}
