import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { withDeadline } from '#libs/common';
import { Settings } from '#libs/config';
import { HostResolver, type ResolvedAddress } from './host-resolver.service.js';
import { isPublicAddress, judgeUrl, NOT_PUBLIC, type TargetProblem } from './webhook-target.js';

const RESOLVE_MS = 3_000;

/** A URL with the one address that a connection may go to. */
export interface CheckedTarget {
  readonly url: URL;
  readonly address: ResolvedAddress;
}

/** What came of a check: where to connect to, or why not. `unresolved`: no one knows the name at this moment. */
export type TargetVerdict =
  | { readonly kind: 'checked'; readonly target: CheckedTarget }
  | { readonly kind: 'refused'; readonly problem: TargetProblem }
  | { readonly kind: 'unresolved' };

/** Decides where webhooks may be sent to: when an endpoint is made and again at every attempt. */
@Injectable()
export class TargetCheck {
  constructor(
    private readonly resolver: HostResolver,
    private readonly settings: Settings,
  ) {}

  /** What is wrong with the text of the URL; null: nothing that can be told without a resolver. */
  findProblem(url: string): TargetProblem | null {
    const judged = judgeUrl(url, this.settings.values.webhookAllowedHosts);
    return 'problem' in judged ? judged.problem : null;
  }

  /** Judges the URL and every address that its host represents. Leaves the process: never inside a transaction. */
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
