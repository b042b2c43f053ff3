/**
 * `npm test`: builds once, runs the tests that Node and npm alone can run and that share what costs most, and says at the end what was
 * not run and why. Arguments go to Vitest (`npm test -- --project unit`). TEST_REPORT names a file for Vitest's report as JSON.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build-once.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function listSkipped(report) {
  const skipped = [];
  for (const file of report.testResults) {
    const count = file.assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed').length;
    if (count > 0) skipped.push(`${relative(root, file.name)}: ${count} of ${file.assertionResults.length} tests`);
  }
  return skipped;
}

function listMissing() {
  const missing = [];
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    missing.push('everything with Redis (cache, queue): there is no redis-server on the PATH');
  }
  if (process.getuid?.() !== 0) {
    missing.push('the change of the user that PostgreSQL runs as: only a root user can change it');
  }
  if (!process.env.TEST_ELASTICSEARCH_URL || !process.env.TEST_OPENSEARCH_URL) {
    missing.push(
      'the stores on Elasticsearch and OpenSearch: no TEST_ELASTICSEARCH_URL and TEST_OPENSEARCH_URL ' +
        '(npm run engines -- --then npm run test:adapters)',
    );
  }
  if (!process.argv.includes('own-services'))
    missing.push(
      'services with settings of their own, several processes, faults: a tier of its own (npm run test:own-services)',
    );
  missing.push('the service on Elasticsearch and OpenSearch: a tier of its own (npm run test:engines)');
  missing.push('a package of another team: a tier of its own (npm run test:package)');
  missing.push('Swagger UI in Chromium: a tier of its own (npm run test:browser)');
  if (!process.env.TEST_S3_BUCKET)
    missing.push('files in S3: a tier of its own (npm run s3 -- --then npm run test:s3)');
  return missing;
}

function printNotRun(reportFile) {
  const skipped = listSkipped(JSON.parse(readFileSync(reportFile, 'utf8')));
  console.log('\nNot run here:');
  for (const line of listMissing()) console.log(`  - ${line}`);
  if (skipped.length > 0) console.log('Skipped for such reasons:');
  for (const line of skipped) console.log(`  - ${line}`);
}

async function main() {
  await buildOrExit();
  const folder = mkdtempSync(join(tmpdir(), 'kb-report-'));
  try {
    const reportFile = process.env.TEST_REPORT ?? join(folder, 'report.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const outside = `--reporter=${join(root, 'scripts/lib/outside-errors.mjs')}`;
    const reporters = ['--reporter=default', outside, '--reporter=json', `--outputFile.json=${reportFile}`];
    const options = ['run', ...reporters, ...process.argv.slice(2)];
    const { status } = spawnSync(process.execPath, [vitest, ...options], { cwd: root, stdio: 'inherit' });
    printNotRun(reportFile);
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
