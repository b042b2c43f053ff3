import { Module } from '@nestjs/common';
import { ComponentLooks } from './components/component-looks.js';
import { ComponentWatch } from './components/component-watch.js';
import { HealthMetrics } from './components/health-metrics.js';
import { HealthProbes } from './components/health-probes.js';
import { WaitingReport } from './components/waiting-report.js';
import { WarmupRegistry } from './components/warmup-registry.js';
import { WorkProbe } from './components/work-probe.js';

/** What every process knows of the service's health, also one without HTTP: for metrics and the log. */
@Module({
  providers: [ComponentLooks, ComponentWatch, HealthMetrics, HealthProbes, WaitingReport, WarmupRegistry, WorkProbe],
  exports: [ComponentLooks, WarmupRegistry],
})
export class HealthWatchModule {}
