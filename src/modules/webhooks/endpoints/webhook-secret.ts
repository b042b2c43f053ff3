import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Number of bytes of a secret; the scheme requires 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret of the Standard Webhooks scheme: `whsec_` and base64. */
export function makeSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Headers of a message. */
export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** The headers of Standard Webhooks 1.0.0: a signature `v1` for each secret, over id, time and body. */
export function signMessage(id: string, at: Date, body: string, secrets: readonly string[]): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Context that binds the encrypted secret to its endpoint. */
export function sealedFor(webhookId: string): string {
  return `webhook:${webhookId}`;
}
