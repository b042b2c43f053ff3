import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** An address that a name stands for. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Tells the addresses of a host. */
export abstract class HostResolver {
  /** All of them, in the order in which they are to be tried. Rejects when there is none. */
  abstract resolve(host: string): Promise<readonly ResolvedAddress[]>;
}

/** As the system resolves names for every program. */
@Injectable()
export class SystemHostResolver extends HostResolver {
  async resolve(host: string): Promise<readonly ResolvedAddress[]> {
    const found = await lookup(host, { all: true });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  }
}
