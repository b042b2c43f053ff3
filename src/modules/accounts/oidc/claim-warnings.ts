import type { UnknownClaimValue } from '../identities/oidc-claims.js';

/** Maximum number of remembered values; after that nothing more is logged. */
const MOST_VALUES = 200;
/** Maximum number of characters of a value in the log. */
const MOST_CHARACTERS = 100;

interface Logger {
  warn(facts: object, event: string): void;
}

/** Logs each unknown value of a mapped claim once, because a misspelt role would make every member a viewer. */
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
