import {
  missingSettings,
  valuesOf,
  type AdapterDefinition,
  type AdapterPort,
  type AdapterPorts,
  type AdapterValues,
} from './adapter.js';

type Port = AdapterPort<unknown, never>;
type Definition = AdapterDefinition<unknown, never>;

/** What of the settings an answer about adapters depends on. */
export interface AdapterFacts {
  readonly kinds: Readonly<Record<keyof AdapterPorts, string>>;
  readonly values: AdapterValues;
  readonly role: string;
  readonly dataDirIsShared: boolean;
  /** Names of settings whose values were refused: their defaults are in their places, of which nothing is told. */
  readonly refused: ReadonlySet<string>;
}

/** Problems among the settings of all adapters, chosen or not. */
export function findAdapterProblems(ports: AdapterPorts, facts: AdapterFacts): string[] {
  return Object.entries<Port>(ports).flatMap(([name, port]) => {
    const kind = facts.refused.has(port.setting) ? undefined : facts.kinds[name as keyof AdapterPorts];
    return [
      ...findUnavailable(port, kind),
      ...port.adapters.flatMap((definition) => findOwnProblems(port, definition, { ...facts, kind })),
      ...findRoleProblems(port, kind, facts),
    ];
  });
}

/** What this version does not bring yet is refused at the start, not at the first request. */
function findUnavailable(port: Port, kind: string | undefined): string[] {
  const available = port.adapters.map((adapter) => adapter.kind);
  if (kind === undefined || available.includes(kind)) return [];
  return [`${port.setting}: ${kind} is not available in this version; use ${available.join(' or ')}.`];
}

function findOwnProblems(
  port: Port,
  definition: Definition,
  { kind, values, refused }: Pick<AdapterFacts, 'values' | 'refused'> & { readonly kind: string | undefined },
): string[] {
  const isChosen = definition.kind === kind;
  const missing = isChosen ? missingSettings(definition, values).filter((name) => !refused.has(name)) : [];
  const own = definition.findProblems?.(valuesOf(definition.settings, values), isChosen) ?? [];
  return [
    ...missing.map((name) => `${name}: required with ${port.setting}=${kind}.`),
    ...own.filter((problem) => ![...refused].some((name) => new RegExp(`\\b${name}\\b`).test(problem))),
  ];
}

/** Processes of their own need adapters that they can share. */
function findRoleProblems(port: Port, kind: string | undefined, { role, dataDirIsShared }: AdapterFacts): string[] {
  const chosen = port.adapters.find((adapter) => adapter.kind === kind);
  if (role === 'all' || chosen === undefined || chosen.processes === 'many') return [];
  const others = port.adapters.filter(({ processes }) => processes === 'many').map((adapter) => adapter.kind);
  const otherwise = others.length === 0 ? '' : `, or set ${port.setting} to ${others.join(' or ')}`;
  if (chosen.processes === 'one') {
    return [
      `ROLE: ${role} cannot be used with ${port.setting}=${kind}, which one process owns; use ROLE=all${otherwise}.`,
    ];
  }
  if (dataDirIsShared) return [];
  return [
    `ROLE: ${role} needs the same DATA_DIR as every other process with ${port.setting}=${kind}; when all of them see one folder set DATA_DIR_SHARED=true${otherwise}.`,
  ];
}
