import { Injectable } from '@nestjs/common';
import type { CredentialsRow } from './account.entity.js';
import { CredentialsRepository } from './credentials.repository.js';
import { PasswordHasher } from './password-hasher.js';

/** An account whose password was given rightly, and the hash that it was compared with. */
export interface ProvenAccount {
  readonly account: CredentialsRow;
  readonly passwordHash: string;
}

/** E-mail addresses and passwords as a login compares them: the same work whether there is such an account or not. */
@Injectable()
export class LoginCredentials {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** The account with this e-mail address, whatever its state. */
  find(email: string): Promise<CredentialsRow | undefined> {
    return this.credentials.findByEmail(email.trim());
  }

  /** Undefined for a wrong password, an unknown address and an account without a password. */
  async prove(account: CredentialsRow | undefined, password: string): Promise<ProvenAccount | undefined> {
    const passwordHash = account?.password_hash ?? null;
    const matches = await this.hasher.verify(passwordHash, password);
    return matches && account !== undefined && passwordHash !== null ? { account, passwordHash } : undefined;
  }
}
