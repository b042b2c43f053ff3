/** The tiers of .ci/tiers in lanes, for .ci/run: what it prints and counts is said there. Needs Node 24 and `npm ci`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepTemporaryFilesInMemory } from '../lib/temporary-folder.ts';
import { Lanes } from './lanes.ts';
import { Needs } from './needs.mjs';
import { playTier } from './play-tier.mjs';
import { parseTiers } from './tier-file.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_LANES = 2;

process.chdir(ROOT);
process.env.PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;
const print = (line) => process.stdout.write(`${line}\n`);
const install = Number(process.env.INSTALL_SECONDS ?? 0);
const began = performance.now() - 1000 * install;
const logs = mkdtempSync(join(tmpdir(), 'kb-ci-'));
keepTemporaryFilesInMemory();
// By hand: part of a name plays the tiers that have it.
const asked = process.argv.slice(2);
const tiers = parseTiers(readFileSync('.ci/tiers', 'utf8')).filter(
  ({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)),
);
const needs = new Needs(logs, new Set(tiers.flatMap((tier) => tier.needs)));
const results = await new Lanes(Math.min(MAX_LANES, availableParallelism()), {
  prepare: (need) => needs.prepare(need),
  release: (need) => needs.release(need),
  play: (tier, states) => playTier(logs, tier, states, (performance.now() - began) / 60_000, print),
}).play(tiers);
const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
const failed = sum((result) => result.failed);
printShares();
if (failed > 0) printFailures();
else rmSync(logs, { recursive: true, force: true });
print(`${sum((result) => result.passed)} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function printFailures() {
  print('\nWhat failed:');
  for (const { tier, reasons = [] } of results) for (const reason of reasons) print(`  ${tier.name}: ${reason}`);
  print(`Logs: ${logs}`);
}

function printShares() {
  const whole = Math.round((performance.now() - began) / 1000);
  const played = sum(({ seconds = 0 }) => seconds);
  const width = Math.max(...tiers.map(({ name }) => name.length));
  print(`\n${'tier'.padEnd(width)}  seconds  budget  share of all tiers`);
  for (const { tier, seconds } of results) {
    const cells = seconds === undefined ? ['not run'] : [String(seconds)];
    const share = seconds === undefined ? '' : `${((100 * seconds) / played).toFixed(1).padStart(5)} %`;
    print(
      `${tier.name.padEnd(width)}  ${cells[0].padStart(7)}  ${String(60 * tier.minutes).padStart(6)}  ${share}`.trimEnd(),
    );
  }
  print(`${whole} s in all, ${install} s of them npm ci; ${played} s of tiers side by side`);
}
