import { distance } from 'fastest-levenshtein';
import type { AdapterPort, AdapterPorts } from './adapters/adapter.js';
import { choiceOf, settingsOfAdapters } from './adapters/adapter-settings.js';
import { SETTINGS } from './settings.js';

/** A name of the environment that no setting has, and the setting that it is nearly. */
export interface MisspeltSetting {
  readonly name: string;
  readonly setting: string;
}

/** Letters of a name that may be wrong, lack or be too many. */
const MOST_WRONG = 2;
/** Of a shorter name two letters are too much to tell. */
const SHORTEST = 8;

/**
 * Names that are nearly those of settings which are not set, so that nothing reads them. In the order of the environment.
 */
export function findMisspeltSettings(
  ports: AdapterPorts,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): MisspeltSetting[] {
  const choices = Object.values<AdapterPort<unknown, never>>(ports).map(choiceOf);
  const known = new Set([...Object.values(SETTINGS), ...choices, ...settingsOfAdapters(ports)].map(({ name }) => name));
  const unset = [...known].filter((name) => environment[name] === undefined);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name) || name.length < SHORTEST) return [];
    const [nearest] = unset
      .map((setting) => ({ setting, wrong: distance(name, setting) }))
      .filter(({ wrong }) => wrong <= MOST_WRONG)
      .sort((a, b) => a.wrong - b.wrong);
    return nearest === undefined ? [] : [{ name, setting: nearest.setting }];
  });
}
