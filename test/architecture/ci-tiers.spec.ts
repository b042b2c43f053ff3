import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Lanes, type NeedState } from '../../scripts/ci/lanes.js';
import { parseTiers, type Tier } from '../../scripts/ci/tier-file.js';
import { findProblems, whyTooLate } from '../../scripts/ci/tier-problems.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('.ci/tiers', () => {
  const tiers = parseTiers(read('.ci/tiers'));

  it('names commands that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = tiers.flatMap(({ command }) => /npm run (?:--silent )?([\w:-]+)/.exec(command)?.[1] ?? []);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    const files = tiers.flatMap(({ command }) => /(?:^|node )(\.?[\w-]+\/\S+)$/.exec(command)?.[1] ?? []);
    for (const file of files) expect(read(file)).not.toBe('');
  });

  it('has the check and all tests in it', () => {
    expect(tiers.map(({ command }) => command)).toEqual(expect.arrayContaining(['npm run --silent check', 'npm test']));
  });

  it('plays every project of the tests but the drills, which take hours', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const played = tiers.flatMap(({ command }) => {
      const name = /npm run (?:--silent )?([\w:-]+)/.exec(command)?.[1] ?? (command === 'npm test' ? 'test' : '');
      return [...(scripts[name] ?? '').matchAll(/--project (\S+)/g)].map(([, project]) => project);
    });
    const projects = [...read('vitest.config.ts').matchAll(/^ +name: '([\w-]+)'/gm)].map(([, project]) => project);
    expect(projects.filter((project) => project !== 'drill' && !played.includes(project))).toEqual([]);
    expect(projects).toContain('own-services');
  });

  it.each([
    ['a | 1 | always | 1 | exit | | true\na | 1 | 60 | 1 | exit | | true', 'line 2: the name stands there twice'],
    ['a | 0 | always | 1 | exit | | true', 'minutes must be above 0'],
    ['a | 1 | soon | 1 | exit | | true', 'within must be always or minutes above 0'],
    ['a | 1 | always | 3 | exit | | true', 'lanes must be 1 or 2'],
    ['a | 1 | always | 1 | test | | true', 'kind must be one of exit, tests, all-tests'],
    ['a | 1 | always | 1 | exit | moon | true', 'there is no need called moon'],
    ['a | 1 | always | 1 | exit', '7 columns are needed'],
    ['# nothing', 'there is no tier'],
  ])('is refused as %j', (text, problem) => {
    expect(() => parseTiers(text)).toThrow(problem);
  });

  it('takes a command that holds the sign of its columns', () => {
    expect(parseTiers('a | 1 | always | 1 | exit | root install:jq | true | cat')[0]).toMatchObject({
      needs: ['root', 'install:jq'],
      command: 'true | cat',
    });
  });
});

describe('a tier', () => {
  const run = { code: 0, isEnded: false, seconds: 10 };
  const good = { passed: 3, failed: 0, skipped: 0 };

  it.each([
    ['passed', 'tests', run, good, []],
    ['passed with skipped tests', 'tests', run, { ...good, skipped: 1 }, []],
    ['skipped what it must not', 'all-tests', run, { ...good, skipped: 1 }, ['1 tests did not run']],
    ['left no report', 'tests', run, undefined, ['left no report']],
    ['ran nothing', 'tests', run, { passed: 0, failed: 0, skipped: 0 }, ['ran nothing']],
    ['failed outside its tests', 'tests', { ...run, code: 1 }, good, ['failed outside its tests']],
    ['failed in its tests, which are counted', 'tests', { ...run, code: 1 }, { ...good, failed: 2 }, []],
    ['ended with a code', 'exit', { ...run, code: 3 }, undefined, ['exit code 3']],
    ['took more than its budget, which is said', 'exit', { ...run, seconds: 61 }, undefined, []],
    ['was ended', 'exit', { code: undefined, isEnded: true, seconds: 120 }, undefined, ['was ended after 2 minutes']],
  ] as const)('that %s', (_, kind, ended, counts, problems) => {
    expect(findProblems({ kind, minutes: 1 }, ended, counts)).toEqual(problems);
  });
});

describe('a tier that a slow machine has no time for', () => {
  it('is named and does not run', () => {
    expect(whyTooLate({ startsWithin: 60 }, 60)).toBeUndefined();
    expect(whyTooLate({ startsWithin: undefined }, 1_000)).toBeUndefined();
    expect(whyTooLate({ startsWithin: 60 }, 61.2)).toBe(
      'this machine is slow: 61 minutes are over, it starts within 60',
    );
  });

  it('is none of those that show what is shown nowhere else', () => {
    const always = parseTiers(read('.ci/tiers')).filter(({ startsWithin }) => startsWithin === undefined);
    expect(always.map(({ command }) => command)).toEqual([
      'npm run --silent check',
      'npm test',
      'npm run --silent test:own-services',
      'npm run --silent test:engines',
      'npm run --silent test:crash',
      'npm run --silent test:browser',
      'node test/upgrade/open-landed-data.mjs',
      'npm run --silent demo',
    ]);
  });
});

describe('the lanes', () => {
  type Job = Pick<Tier, 'name' | 'lanes' | 'needs'>;
  const job = (name: string, lanes = 1, needs: readonly string[] = []): Job => ({ name, lanes, needs });
  const there: NeedState = { ready: true };

  /** Plays jobs of equal length, one turn of the event loop each, and notes what began, ended and was released when. */
  async function play(lanes: number, jobs: readonly Job[], states: Record<string, NeedState> = {}): Promise<string[]> {
    const events: string[] = [];
    const results = await new Lanes<Job, string>(lanes, {
      prepare: async (need) => states[need] ?? there,
      release: async (need) => void events.push(`release ${need}`),
      play: async ({ name }, got) => {
        events.push(`+${name}${got.some(({ ready }) => !ready) ? ' without' : ''}`);
        await new Promise((resolve) => setImmediate(resolve));
        events.push(`-${name}`);
        return name;
      },
    }).play(jobs);
    expect(results).toEqual(jobs.map(({ name }) => name));
    return events;
  }

  it('play as many at once as there are lanes, in the order of the list', async () => {
    expect(await play(2, [job('a'), job('b'), job('c')])).toEqual(['+a', '+b', '-a', '+c', '-b', '-c']);
    expect(await play(1, [job('a'), job('b')])).toEqual(['+a', '-a', '+b', '-b']);
  });

  it('leave a tier alone that takes both, and let none overtake it', async () => {
    expect(await play(2, [job('a'), job('both', 2), job('c')])).toEqual(['+a', '-a', '+both', '-both', '+c', '-c']);
    expect(await play(1, [job('both', 2)])).toEqual(['+both', '-both']);
  });

  it('go on with what needs nothing while a need is prepared, and release it after its last tier', async () => {
    const events = await play(1, [job('a', 1, ['engines']), job('b'), job('c', 1, ['engines'])]);
    expect(events).toEqual(['+b', '-b', '+a', '-a', '+c', '-c', 'release engines']);
  });

  it('tell a tier that its need is not there, and play the others', async () => {
    const states: Record<string, NeedState> = { engines: { ready: false, failed: 'no Java' } };
    const events = await play(2, [job('a', 1, ['engines']), job('b')], states);
    expect(events).toEqual(expect.arrayContaining(['+a without', '+b', '-b']));
  });
});
