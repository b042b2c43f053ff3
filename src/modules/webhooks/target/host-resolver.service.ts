import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** An address of a host name. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves the addresses of a host. */
export abstract class HostResolver {
  /** All addresses, in the order in which they should be tried. Rejects when there is none. */
  abstract resolve(host: string): Promise<readonly ResolvedAddress[]>;
}

/** Time for which an unknown name is not resolved again. */
const UNKNOWN_MS = 10_000;
const MOST_UNKNOWN = 1_000;

/**
 * Resolves names with the resolver of the system. The system has few threads for this, and an unknown name can occupy one for seconds.
 * Therefore simultaneous calls for the same name share one answer, and an unknown name stays unknown for ten seconds.
 */
@Injectable()
export class SystemHostResolver extends HostResolver {
  private readonly asking = new Map<string, Promise<readonly ResolvedAddress[]>>();
  private readonly unknown = new Map<string, { readonly until: number; readonly error: unknown }>();

  override async resolve(host: string): Promise<readonly ResolvedAddress[]> {
    const known = this.unknown.get(host);
    if (known !== undefined && performance.now() < known.until) throw known.error;
    const asked = this.asking.get(host) ?? this.ask(host);
    this.asking.set(host, asked);
    return asked;
  }

  /** The answer of the system. */
  protected async lookUp(host: string): Promise<readonly ResolvedAddress[]> {
    const found = await lookup(host, { all: true });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  }

  private async ask(host: string): Promise<readonly ResolvedAddress[]> {
    try {
      const found = await this.lookUp(host);
      this.unknown.delete(host);
      return found;
    } catch (error) {
      if (this.unknown.size >= MOST_UNKNOWN) this.unknown.clear();
      this.unknown.set(host, { until: performance.now() + UNKNOWN_MS, error });
      throw error;
    } finally {
      this.asking.delete(host);
    }
  }
}
