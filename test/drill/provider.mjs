/**
 * `npm run drill:provider -- [documents] [seconds]` (200 and 90): ingests documents while their provider of embeddings answers 429 for two thirds of
 * the time and 500 for the rest, kills the service with SIGKILL in both, and looks at what the provider is asked afterwards. Needs Node
 * 24. Exit code 0 only when every document is completed and no text was embedded again whose vector was committed before a kill.
 */
import '../crash/support/typescript-hooks.mjs';

const { buildOnce } = await import('../../scripts/build-once.mjs');
// The support files import what is built.
await buildOnce();
const { ProviderDrill } = await import('./support/provider-drill.ts');

const documents = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 90);
const began = Date.now();
const print = (line) => process.stdout.write(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);

const drill = await ProviderDrill.begin(print);
try {
  await drill.upload(documents);
  await drill.failFor((seconds * 2) / 3, { kind: 'status', status: 429, retryAfter: '5' });
  await drill.failFor(seconds / 3, { kind: 'status', status: 500 });
  const problems = await drill.recover();
  for (const problem of problems) print(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await drill.dispose();
}
