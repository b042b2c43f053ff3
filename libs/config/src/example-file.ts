import type { Setting } from './setting.js';
import { SETTINGS } from './settings.js';

/** The text of `.env.example`: every setting with its meaning and default. */
export function renderExampleFile(): string {
  const lines = ['# Settings of the service. Copy to .env and change what you need; every line has its default.', ''];
  let section = '';
  for (const setting of Object.values<Setting<unknown>>(SETTINGS)) {
    if (setting.section !== section) {
      section = setting.section;
      lines.push(`## ${section}`, '');
    }
    lines.push(`# ${setting.description}`, `# ${setting.name}=${renderDefault(setting.fallback)}`, '');
  }
  return lines.join('\n');
}

function renderDefault(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : `${value as string | number}`;
}
