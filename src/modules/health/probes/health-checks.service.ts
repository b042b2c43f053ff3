import { Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Settings } from '#libs/config';
import { Drain } from '#libs/http';
import { ComponentChecks, type ComponentName, type ComponentStates } from '../components/component-checks.service.js';
import { WarmupRegistry } from '../components/warmup-registry.service.js';

/** Reports whether the service is ready, and the state of its dependencies. */
@Injectable()
export class HealthChecksService {
  constructor(
    private readonly checks: ComponentChecks,
    private readonly settings: Settings,
    private readonly warmups: WarmupRegistry,
    private readonly drain: Drain,
    private readonly terminus: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /**
   * True when no component in `READINESS_REQUIRES` is down, the vector store accepts writes (unless `READINESS_STORE` is `searchable` or
   * only its disks are full), and the required warm-ups have succeeded; false in a process that is about to stop.
   */
  async isReady(): Promise<boolean> {
    if (this.drain.isLeaving) return false;
    const { readinessRequires, readinessWarmups } = this.settings.values;
    try {
      const result = await this.terminus.check(readinessRequires.map((name) => () => this.indicate(name)));
      return result.status === 'ok' && this.warmups.areDone(readinessWarmups);
    } catch {
      return false;
    }
  }

  details(): Promise<ComponentStates> {
    return this.checks.checkAll();
  }

  private async indicate(name: ComponentName): Promise<HealthIndicatorResult> {
    const { status, isFull } = await this.checks.check(name);
    const indicator = this.indicators.check(name);
    // Low space alone does not make the service unready: reads, searches, deletions and logins still work.
    const mayBeDegraded = isFull || name !== 'vector_backend' || this.settings.values.readinessStore === 'searchable';
    return status === 'down' || (status === 'degraded' && !mayBeDegraded) ? indicator.down() : indicator.up();
  }
}
