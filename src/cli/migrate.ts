import 'reflect-metadata';
import { reportFailure } from './backup/report-failure.js';
import { openRunningDatabase } from './open-running-database.js';

/**
 * `npm run migrate`: brings the database to the schema of this version, as every start does, and ends. For who wants it done
 * before the first process of a new version starts. Exit code 1: it could not be done.
 */
try {
  const command = await openRunningDatabase();
  await command.close();
  process.stdout.write('The database has the schema of this version.\n');
} catch (error) {
  reportFailure('Migration', error);
}
