/**
 * `node test/upgrade/open-landed-data.mjs [commit…]`: fills a data folder by a former version of the service (by default the newest
 * one of `LANDED`; `all` for each), opens it with this checkout and compares documents, chunks, searches, logins, keys and citations.
 * Needs the history of the repository and a package registry. Exit code 0 only when nothing is missing.
 */
import { buildOnce } from '../../scripts/build-once.mjs';
import { ServiceProcess } from '../../scripts/lib/service-process.ts';
import { fill, findLosses } from './filled-service.mjs';
import { buildLanded, isInHistory } from './landed-checkout.mjs';

/** The last commit of each version that was handed out, newest first. Add a line whenever one is. */
const LANDED = [
  { version: 'rosters, torn tables of PDF, sheets of case sets', commit: 'd580475b' },
  { version: 'answers from sections, evaluations in the console', commit: '70987a27' },
  { version: 'chats answer from tables in four languages', commit: '286d5edb' },
  { version: 'clocks set back, delimiters, labelled lines', commit: '4b075c8b' },
  { version: 'measures added up, searches that wait for their words', commit: 'c37e352f' },
  { version: 'search in rooms, several questions in a message', commit: 'c495ef82' },
  { version: 'answers that know a near miss', commit: '786280a2' },
  { version: 'words kept beside the data', commit: '146929d7' },
  { version: 'vectors compared in memory', commit: '6d537ab8' },
  { version: 'a house with rooms', commit: '50f61329' },
  { version: 'a console, archives and conversations', commit: '46476fd7' },
  { version: 'answers in two sentences, documents read better', commit: 'aa2d329' },
  { version: 'what a second trial asked for', commit: 'aa7e0f9' },
  { version: 'models of every kind', commit: '80d38cc' },
  { version: 'what a first trial asked for', commit: '8b2e0c3' },
  { version: 'search on every store', commit: 'aba0400' },
  { version: 'operations on documents', commit: '1cd88b2' },
  { version: 'from an upload to an answer', commit: '5e3bcc0' },
];
const READY_MS = 120_000;
const ENTRY = new URL('../../dist/src/main.js', import.meta.url).pathname;

const print = (line) => process.stdout.write(`${line}\n`);

async function lossesSince(commit) {
  const landed = await buildLanded(commit);
  let service;
  try {
    service = await ServiceProcess.start({ entry: landed.entry, readyWithinMs: READY_MS });
    const before = await fill(service);
    await service.stop();
    service.entry = ENTRY;
    await service.start();
    const losses = [];
    for await (const loss of findLosses(service, before)) losses.push(loss);
    await service.stop();
    return { documents: Object.keys(before.documents).length, losses };
  } catch (error) {
    if (service !== undefined) print(service.logTail());
    throw error;
  } finally {
    await service?.dispose();
    await landed.remove();
  }
}

const asked = process.argv.slice(2);
const versions = asked.includes('all')
  ? LANDED
  : asked.length > 0
    ? asked.map((commit) => ({ version: commit, commit }))
    : LANDED.slice(0, 1);
await buildOnce();
let failed = 0;
for (const { version, commit } of versions) {
  if (!isInHistory(commit)) {
    print(`FAILED ${version}: commit ${commit} is not in the history of this checkout (a shallow clone?)`);
    failed += 1;
    continue;
  }
  const { documents, losses } = await lossesSince(commit);
  print(
    `${losses.length === 0 ? 'ok    ' : 'FAILED'} ${version} (${commit}): ${documents} documents, ${losses.length} losses`,
  );
  for (const loss of losses) print(`  - ${loss}`);
  failed += losses.length;
}
process.exitCode = failed === 0 ? 0 : 1;
