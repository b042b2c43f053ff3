import type { Setting } from '../setting.js';
import { oneOf } from '../setting.js';
import { SETTINGS } from '../settings.js';
import { kindsOf, type AdapterDefinition, type AdapterPort, type AdapterPorts } from './adapter.js';

type Port = AdapterPort<unknown, never>;

/** The setting that chooses the adapter of a port. */
export function choiceOf(port: Port): Setting<string> {
  const { setting, section, description, fallback } = port;
  return oneOf(setting, kindsOf(port), fallback, { section, description });
}

/**
 * Every setting that an adapter brings, each once, in the order of registration. Throws for two that share a name and are not
 * the same, and for a kind that is registered twice: which of them counts would depend on the order.
 */
export function settingsOfAdapters(ports: AdapterPorts): readonly Setting<unknown>[] {
  const byName = new Map<string, Setting<unknown>>();
  for (const port of Object.values<Port>(ports)) {
    refuseDoubles(port);
    for (const setting of [...port.adapters, ...port.announced].flatMap(({ settings }) => Object.values(settings))) {
      const known = byName.get(setting.name);
      if (known !== undefined && known !== setting) throw new Error(`${setting.name} is declared twice`);
      byName.set(setting.name, setting);
    }
  }
  return [...byName.values()];
}

/**
 * The name of a setting of these adapters that the service or another adapter has already, or that they declare twice; the same object may
 * stand in several of them. undefined: there is none.
 */
export function findDuplicateSetting(
  ports: AdapterPorts,
  more: readonly Pick<AdapterDefinition<unknown, never>, 'settings'>[],
): string | undefined {
  const choices = Object.values<Port>(ports).map(choiceOf);
  const core: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const known = new Map([...core, ...choices, ...settingsOfAdapters(ports)].map((setting) => [setting.name, setting]));
  for (const setting of more.flatMap(({ settings }) => Object.values<Setting<unknown>>(settings))) {
    if (known.has(setting.name) && known.get(setting.name) !== setting) return setting.name;
    known.set(setting.name, setting);
  }
  return undefined;
}

function refuseDoubles(port: Port): void {
  const kinds = kindsOf(port);
  const double = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (double !== undefined) throw new Error(`${port.setting}=${double} is registered twice`);
}
