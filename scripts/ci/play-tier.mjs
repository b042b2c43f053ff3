import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runLogged } from './run-logged.mjs';
import { findProblems, LIMIT, whyTooLate } from './tier-problems.ts';

const SHOWN_LINES = 60;

/**
 * Plays a tier whose needs are in these states, `minutes` after the run began, prints how it went, and resolves to
 * `{tier, seconds, passed, failed}`: tests, and one failure for what went wrong without a test to blame. Seconds are undefined for a tier
 * that did not run; `reasons` says what failed.
 */
export async function playTier(logs, tier, states, minutes, print) {
  const late = whyTooLate(tier, minutes);
  if (late !== undefined) {
    print(`not run: ${tier.name}: ${late}`);
    return { tier, passed: 0, failed: 0 };
  }
  const unmet = states.find(({ ready }) => !ready);
  if (unmet !== undefined) {
    const isFailure = unmet.failed !== undefined;
    print(`${isFailure ? 'FAILED' : 'not run:'} ${tier.name}: ${unmet.failed ?? unmet.absent}`);
    return { tier, passed: 0, failed: isFailure ? 1 : 0, reasons: isFailure ? [String(unmet.failed)] : [] };
  }
  try {
    return await play(logs, tier, states, print);
  } catch (error) {
    print(`FAILED ${tier.name} could not be played: ${error.stack}`);
    return { tier, passed: 0, failed: 1, reasons: [String(error)] };
  }
}

async function play(logs, tier, states, print) {
  const report = join(logs, `${tier.name.replaceAll(/[^a-z0-9]+/gi, '-')}.json`);
  const env = Object.assign(
    {},
    ...states.map((state) => state.env),
    tier.kind === 'exit' ? {} : { TEST_REPORT: report },
  );
  const run = await runLogged(logs, tier.name, { command: tier.command, env, limitMinutes: LIMIT * tier.minutes });
  const counts = tier.kind === 'exit' ? undefined : readCounts(report);
  const problems = findProblems(tier, run, counts);
  const { passed = 0, failed = 0, skipped = 0 } = counts ?? {};
  const isGood = problems.length === 0 && failed === 0;
  const shown = counts === undefined ? '' : `: ${passed} passed, ${failed} failed, ${skipped} skipped`;
  const budget = 60 * tier.minutes;
  const slow = run.seconds > budget ? `, more than its budget of ${budget} s` : '';
  print(`${isGood ? 'ok    ' : '----  '} ${tier.name} (${run.seconds} s${slow})${shown}`);
  if (isGood) for (const line of notesOf(run.log)) print(`       ${line}`);
  else print(`${run.tail(SHOWN_LINES)}\n----   the end of ${tier.name}`);
  for (const problem of problems) print(`FAILED ${tier.name}: ${problem}`);
  const reasons = [...(failed > 0 ? failedTests(report) : []), ...problems];
  return { tier, seconds: run.seconds, passed, failed: failed + problems.length, reasons };
}

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  } catch {
    // A run that was ended, or that failed before its first test, has none: that is said.
    return undefined;
  }
}

/** The tests that failed, each with its file. */
function failedTests(report) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(process.cwd(), name)}: ${fullName}`),
  );
}

/** What a tier that passed says for the reader of the run: steps with their time, and what did not run. */
function notesOf(log) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const notRun = lines.indexOf('Not run here:');
  return [...lines.filter((line) => /^\d+ s: |^not run: /.test(line)), ...(notRun === -1 ? [] : lines.slice(notRun))];
}
