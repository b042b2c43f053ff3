import type { AdapterPort, AdapterPorts } from './adapters/adapter.js';
import { choiceOf, settingsOfAdapters } from './adapters/adapter-settings.js';
import type { Setting } from './setting.js';
import { SECTIONS, SETTINGS } from './settings.js';

/** The text of `.env.example`: every setting with its meaning and default, those of the adapters too. */
export function renderExampleFile(ports: AdapterPorts): string {
  const choices = Object.values<AdapterPort<unknown, never>>(ports).map(choiceOf);
  const own = Object.values<Setting<unknown>>(SETTINGS);
  const all: readonly Setting<unknown>[] = [...choices, ...settingsOfAdapters(ports), ...own];
  const lines = ['# Settings of the service. Copy to .env and change what you need; every line has its default.', ''];
  for (const section of new Set<string>([...SECTIONS, ...all.map((setting) => setting.section)])) {
    lines.push(`## ${section}`, '');
    for (const { description, name, fallback } of all.filter((setting) => setting.section === section)) {
      lines.push(`# ${description}`, `# ${name}=${renderDefault(fallback)}`, '');
    }
  }
  return lines.join('\n');
}

function renderDefault(value: unknown): string {
  if (value === undefined || value instanceof Map) return '';
  return Array.isArray(value) ? value.join(',') : `${value as string | number}`;
}
