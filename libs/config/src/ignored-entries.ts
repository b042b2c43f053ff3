import type { NetworkNames } from './network-names.js';
import { SETTINGS } from './settings.js';

/** An entry of a list that nothing can match. */
export interface IgnoredEntry {
  readonly setting: string;
  readonly entry: string;
}

const LISTS: readonly NetworkNames[] = [
  SETTINGS.corsOrigins,
  SETTINGS.trustProxy,
  SETTINGS.webhookAllowedHosts,
  SETTINGS.chatLinkHosts,
];

/** Entries that are ignored because they can never match, beside others that can: an earlier version took such lists. */
export function findIgnoredEntries(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): IgnoredEntry[] {
  return LISTS.flatMap(({ name, ignored }) =>
    ignored(environment[name] ?? '').map((entry) => ({ setting: name, entry })),
  );
}
