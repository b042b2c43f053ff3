import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { withDeadline } from '#libs/common';
import { Settings } from '#libs/config';
import { HostResolver, type ResolvedAddress } from './host-resolver.service.js';
import { isPublicAddress, judgeUrl, NOT_PUBLIC, type TargetProblem } from './webhook-target.js';

const RESOLVE_MS = 3_000;

/** A URL with the only address to which a connection may be made. */
export interface CheckedTarget {
  readonly url: URL;
  readonly address: ResolvedAddress;
}

/** Result of a check: the address to connect to, or the reason why not. `unresolved`: the name cannot be resolved at this time. */
export type TargetVerdict =
  | { readonly kind: 'checked'; readonly target: CheckedTarget }
  | { readonly kind: 'refused'; readonly problem: TargetProblem }
  | { readonly kind: 'unresolved' };

/** Decides where webhooks may be sent: when an endpoint is created and again at every attempt. */
@Injectable()
export class TargetCheck {
  constructor(
    private readonly resolver: HostResolver,
    private readonly settings: Settings,
  ) {}

  /** The problem of the URL itself; null: none that can be found without a resolver. */
  findProblem(url: string): TargetProblem | null {
    const judged = judgeUrl(url, this.settings.values.webhookAllowedHosts);
    return 'problem' in judged ? judged.problem : null;
  }

  /** Checks the URL and every address of its host. Calls the resolver, so it must not run inside a transaction. */
  async check(url: string): Promise<TargetVerdict> {
    const judged = judgeUrl(url, this.settings.values.webhookAllowedHosts);
    if ('problem' in judged) return { kind: 'refused', problem: judged.problem };
    const { target } = judged;
    const addresses = await this.addressesOf(target.host);
    const [address] = addresses;
    if (address === undefined) return { kind: 'unresolved' };
    if (!target.isAllowed && !addresses.every((one) => isPublicAddress(one.address))) {
      return { kind: 'refused', problem: { code: 'target_not_public', detail: NOT_PUBLIC } };
    }
    return { kind: 'checked', target: { url: target.url, address } };
  }

  private async addressesOf(host: string): Promise<readonly ResolvedAddress[]> {
    const literal = isIP(host);
    if (literal > 0) return [{ address: host, family: literal === 6 ? 6 : 4 }];
    try {
      return await withDeadline(this.resolver.resolve(host), RESOLVE_MS, () => new Error('The resolver is too slow.'));
    } catch {
      return [];
    }
  }
}
