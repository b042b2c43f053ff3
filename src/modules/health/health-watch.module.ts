import { Module } from '@nestjs/common';
import { ComponentLooks } from './component-looks.js';
import { ComponentWatch } from './component-watch.js';
import { HealthMetrics } from './health-metrics.js';
import { HealthProbes } from './health-probes.js';
import { WaitingReport } from './waiting-report.js';
import { WarmupRegistry } from './warmup-registry.js';
import { WorkProbe } from './work-probe.js';

/** What every process knows of the service's health, also one without HTTP: for metrics and the log. */
@Module({
  providers: [ComponentLooks, ComponentWatch, HealthMetrics, HealthProbes, WaitingReport, WarmupRegistry, WorkProbe],
  exports: [ComponentLooks, WarmupRegistry],
})
export class HealthWatchModule {}
