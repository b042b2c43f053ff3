import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database } from '#libs/database';
import { loadServiceSettings } from '../app/adapters.js';
import { AppModule } from '../app/app.module.js';
import { API_PREFIX, makeAdapter } from '../app/configure-app.js';
import { describeApi } from './openapi.js';

/**
 * Writes the description to a file, or with `--check` compares it with the file. No connection is opened: only the dependency graph is
 * read.
 */
const [path, mode] = process.argv.slice(2);
if (path === undefined) throw new Error('Usage: print-openapi FILE [--check]');

const settings = loadServiceSettings({});
const database = new Database(Object.create(null) as never, { app: null, system: null }, 'postgres://localhost/none');
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.forRoot(settings, database),
  makeAdapter(settings),
  {
    preview: true,
    logger: false,
  },
);
app.setGlobalPrefix(API_PREFIX);
const text = `${JSON.stringify(describeApi(app), null, 2)}\n`;

if (mode === '--check') {
  if ((await readFile(path, 'utf8')) !== text) {
    process.stderr.write(
      `${path} does not describe the service as it is built. Run "npm run openapi" and commit the file.\n`,
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(path, text);
}
process.exit();
