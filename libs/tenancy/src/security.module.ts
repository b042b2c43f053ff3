import { Module } from '@nestjs/common';
import { RefusedCredentials } from './refused-credentials.js';
import { SecurityLog } from './security-log.js';

/** What logins and the resolver of credentials share, in graphs with HTTP and without. */
@Module({ providers: [SecurityLog, RefusedCredentials], exports: [SecurityLog, RefusedCredentials] })
export class SecurityModule {}
