/** The lines of .ci/tiers, which says what its columns mean. */

const COLUMNS = 7;
const KINDS = ['exit', 'tests', 'all-tests'] as const;
const NEED = /^(engines|s3|python-clients|client-generators|root|install:[a-z0-9-]+\??)$/;

export interface Tier {
  readonly name: string;
  readonly minutes: number;
  /** Minutes after the run's beginning until which it may start; undefined: it always runs. */
  readonly startsWithin: number | undefined;
  readonly lanes: number;
  readonly kind: (typeof KINDS)[number];
  readonly needs: readonly string[];
  readonly command: string;
}

/** In the order of the file. @throws Error that names every line that is wrong */
export function parseTiers(text: string): readonly Tier[] {
  const tiers: Tier[] = [];
  const problems: string[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const tier = toTier(line);
    const wrong = whatIsWrong(tier, tiers);
    if (wrong === undefined) tiers.push(tier);
    else problems.push(`line ${at + 1}: ${wrong}: ${line.trim()}`);
  }
  if (tiers.length === 0) problems.push('there is no tier');
  if (problems.length > 0) throw new Error(`.ci/tiers: ${problems.join('\n')}`);
  return tiers;
}

function toTier(line: string): Tier {
  const cells = line.split('|').map((cell) => cell.trim());
  const [name = '', minutes, startsWithin, lanes, kind, needs = ''] = cells;
  // The command comes last and may hold the sign itself.
  const command = cells.slice(COLUMNS - 1).join(' | ');
  return {
    name,
    minutes: Number(minutes),
    startsWithin: startsWithin === 'always' ? undefined : Number(startsWithin),
    lanes: Number(lanes),
    kind: kind as Tier['kind'],
    needs: needs.split(/\s+/).filter((need) => need !== ''),
    command,
  };
}

function whatIsWrong(tier: Tier, before: readonly Tier[]): string | undefined {
  const { name, minutes, startsWithin = Infinity, lanes, kind, needs, command } = tier;
  if (name === '' || command === '') return `${COLUMNS} columns are needed`;
  if (before.some((other) => other.name === name)) return 'the name stands there twice';
  if (!(minutes > 0)) return 'minutes must be above 0';
  if (!(startsWithin > 0)) return 'within must be always or minutes above 0';
  if (lanes !== 1 && lanes !== 2) return 'lanes must be 1 or 2';
  if (!KINDS.includes(kind)) return `kind must be one of ${KINDS.join(', ')}`;
  const unknown = needs.find((need) => !NEED.test(need));
  return unknown === undefined ? undefined : `there is no need called ${unknown}`;
}
