import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '#libs/config';
import { DatabaseModule } from '#libs/database';
import { AccountsRecovery, AccountsRecoveryModule } from '../modules/accounts/index.js';
import { withRunningDatabase } from './with-running-database.js';

/**
 * `npm run admin:reset-password [-- E-MAIL [TENANT_ID]]`: gives an account a new password and ends its sessions. Without an address: the first
 * administrator. The tenant tells accounts of one address apart.
 */
@Module({})
class ResetPasswordModule {}

await withRunningDatabase('The reset', async ({ settings, database }) => {
  const imports = [ConfigModule.forRoot(settings), DatabaseModule.forRoot(database), AccountsRecoveryModule];
  const app = await NestFactory.createApplicationContext(
    { module: ResetPasswordModule, imports },
    { logger: ['error'] },
  );
  try {
    const email = process.argv[2] ?? settings.bootstrapAdminEmail;
    const { password } = await app.get(AccountsRecovery, { strict: false }).resetPassword(email, process.argv[3]);
    process.stdout.write(`New password of ${email}: ${password}\n`);
  } finally {
    await app.close();
  }
});
