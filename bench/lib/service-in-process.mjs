/** The service in this process, as `npm start` makes it, for a bench that needs its parts or a bare route beside it. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { loadServiceSettings } from '../../dist/src/app/adapters.js';
import { AppModule } from '../../dist/src/app/app.module.js';
import { configureApp, makeAdapter } from '../../dist/src/app/configure-app.js';
import { openStores } from '../../dist/src/app/open-stores.js';
import { AccountsBootstrap } from '../../dist/src/modules/accounts/index.js';

/** With the settings of the environment and its first administrator; it does not listen yet. */
export async function openService() {
  const settings = loadServiceSettings();
  const stores = await openStores(settings, [], pino({ level: 'warn' }, pino.destination(2)));
  const app = await NestFactory.create(AppModule.forRoot(settings, stores.database), makeAdapter(settings), {
    logger: false,
    bodyParser: false,
    forceCloseConnections: true,
    abortOnError: false,
  });
  await configureApp(app, settings);
  await app.get(AccountsBootstrap).ensureFirstAdministrator();
  return { settings, stores, app };
}
