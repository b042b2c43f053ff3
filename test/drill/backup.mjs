/**
 * `npm run drill:backup -- [documents]` (2,000; `.ci/run` takes fewer): fills a service with three tenants, backs it up while files come in, restores it from the
 * embedded PostgreSQL into an external one and from there back, and compares rows, audit chains, logins, keys, citations and searches.
 * Needs Node 24. Exit code 0 only when everything is as it was.
 */
import '../crash/support/typescript-hooks.mjs';

const { buildOnce } = await import('../../scripts/build-once.mjs');
// The support files import what is built.
await buildOnce();
const { BackupDrill } = await import('./support/backup-drill.ts');

const documents = Number(process.argv[2] ?? 2_000);
const began = Date.now();
const print = (line) => process.stdout.write(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);

const drill = await BackupDrill.begin(documents, print);
const problems = [];
try {
  await drill.fill();
  const before = await drill.look();
  await drill.backUpDuringUploads('first');
  await drill.moveToExternal('first');
  problems.push(...(await drill.compareBackups('first', 'external')), ...(await drill.checkAuditChains('external')));
  await drill.moveBack('external');
  problems.push(...(await drill.compareBackups('first', 'back')));
  await drill.startRestored();
  problems.push(...(await drill.compareLooks(before)), ...(await drill.checkUploads()));
} finally {
  await drill.dispose();
}
for (const problem of problems) print(problem);
print(`${drill.rows} rows, ${drill.files} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
