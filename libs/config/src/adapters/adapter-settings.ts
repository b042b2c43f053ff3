import type { Setting } from '../setting.js';
import { oneOf } from '../setting.js';
import { kindsOf, type AdapterPort, type AdapterPorts } from './adapter.js';

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

function refuseDoubles(port: Port): void {
  const kinds = kindsOf(port);
  const double = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (double !== undefined) throw new Error(`${port.setting}=${double} is registered twice`);
}
