import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { AccountId, ApiKeyId } from '#libs/common';
import type { Client } from './client.js';

/** What happens to credentials: `…_succeeded` is info, everything else a warning. */
export type SecurityEvent =
  | 'auth.login_succeeded'
  | 'auth.login_failed'
  | 'auth.login_blocked'
  | 'auth.password_check_failed'
  | 'auth.password_check_blocked'
  | 'auth.sign_in_refused'
  | 'auth.refresh_refused'
  | 'auth.credential_refused'
  | 'auth.address_blocked';

/** Whom it concerns, as far as that is known, and why. Never a credential, an e-mail address or a password. */
export interface SecurityFacts {
  readonly accountId?: AccountId;
  readonly keyId?: ApiKeyId;
  readonly kind?: string;
  readonly reason?: string;
}

/** The lines of the log that tell of logins and credentials, each with the address of the sender and the request id. */
@Injectable()
export class SecurityLog {
  constructor(private readonly logger: PinoLogger) {}

  note(event: SecurityEvent, client: Client, facts: SecurityFacts = {}): void {
    const level = event.endsWith('_succeeded') ? 'info' : 'warn';
    this.logger[level]({ ...facts, address: client.address, requestId: client.requestId }, event);
  }
}
