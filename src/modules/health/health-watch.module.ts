import { Module } from '@nestjs/common';
import { ComponentChecks } from './components/component-checks.service.js';
import { ComponentWatch } from './components/component-watch.service.js';
import { HealthMetrics } from './components/health-metrics.service.js';
import { HealthProbes } from './components/health-probes.service.js';
import { WaitingReport } from './components/waiting-report.service.js';
import { WarmupRegistry } from './components/warmup-registry.service.js';
import { WorkProbe } from './components/work-probe.service.js';

/** Health of the service for metrics and the log, in every process, also in those without HTTP. */
@Module({
  providers: [ComponentChecks, ComponentWatch, HealthMetrics, HealthProbes, WaitingReport, WarmupRegistry, WorkProbe],
  exports: [ComponentChecks, WarmupRegistry],
})
export class HealthWatchModule {}
