import type { AdapterPort, AdapterPorts } from './adapters/adapter.js';
import { choiceOf, settingsOfAdapters } from './adapters/adapter-settings.js';
import type { Setting } from './setting.js';
import { SECTIONS, SETTINGS } from './settings.js';

/** The text of `.env.example`: every setting with its meaning and default, those of the adapters too. */
export function renderExampleFile(ports: AdapterPorts): string {
  const lines = ['# Settings of the service. Copy to .env and change what you need; every line has its default.', ''];
  for (const [section, settings] of settingsBySection(ports)) {
    lines.push(`## ${section}`, '');
    for (const { description, name, fallback } of settings) {
      lines.push(`# ${description}`, `# ${name}=${renderDefault(fallback)}`, '');
    }
  }
  return lines.join('\n');
}

const PAGE_HEAD = `# Settings

Environment variables; \`npm start\` also reads a \`.env\` file in the working directory, which variables that are set win over. A setting that cannot
be used stops the start with every problem listed. This page has all of them with their defaults; it is written by
\`npm run env:example\`, as \`.env.example\` is.
`;

/** The text of `docs/settings.md`: the same as tables, a section each. */
export function renderSettingsPage(ports: AdapterPorts): string {
  const lines = [PAGE_HEAD];
  for (const [section, settings] of settingsBySection(ports)) {
    lines.push(`## ${section}`, '', '| Setting | Default | Meaning |', '|---|---|---|');
    for (const { description, name, fallback } of settings) {
      const value = renderDefault(fallback);
      lines.push(`| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${renderMeaning(description)} |`);
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** Names of settings as code, and nothing else of the sentence as markup. */
function renderMeaning(description: string): string {
  return description
    .replaceAll(/[\\*|<[\]`]/g, String.raw`\$&`)
    .replaceAll(/\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=\w+)?|[A-Z]+=\w+)/g, '`$&`');
}

function settingsBySection(ports: AdapterPorts): Map<string, Setting<unknown>[]> {
  const choices = Object.values<AdapterPort<unknown, never>>(ports).map(choiceOf);
  const own = Object.values<Setting<unknown>>(SETTINGS);
  const all: readonly Setting<unknown>[] = [...choices, ...settingsOfAdapters(ports), ...own];
  const sections = new Set<string>([...SECTIONS, ...all.map((setting) => setting.section)]);
  return new Map([...sections].map((section) => [section, all.filter((setting) => setting.section === section)]));
}

function renderDefault(value: unknown): string {
  if (value === undefined || value instanceof Map) return '';
  return Array.isArray(value) ? value.join(',') : `${value as string | number}`;
}
