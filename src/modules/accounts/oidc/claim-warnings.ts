import type { UnknownClaimValue } from '../identities/oidc-claims.js';

/** Values that are remembered; beyond them nothing more is said. */
const MOST_VALUES = 200;
/** Characters of a value that the log shows. */
const MOST_CHARACTERS = 100;

interface Logger {
  warn(facts: object, event: string): void;
}

/** Says once for each value of a mapped claim that it means nothing here: a role that is misspelt makes a viewer of everybody. */
export class ClaimWarnings {
  private readonly said = new Set<string>();

  constructor(private readonly logger: Logger) {}

  note(unknown: readonly UnknownClaimValue[]): void {
    for (const { claim, value } of unknown) {
      const shown = value === undefined ? undefined : shorten(value);
      const key = `${claim} ${shown ?? ''}`;
      if (this.said.has(key) || this.said.size >= MOST_VALUES) continue;
      this.said.add(key);
      if (shown === undefined) this.logger.warn({ claim }, 'auth.oidc_claim_absent');
      else this.logger.warn({ claim, value: shown }, 'auth.oidc_claim_unknown');
    }
  }
}

function shorten(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MOST_CHARACTERS);
}
