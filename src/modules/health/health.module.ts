import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthChecksService } from './health-checks.service.js';
import { HealthProbes } from './health-probes.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { WarmupRegistry } from './warmup-registry.js';

/** Probes and details. Warm-ups are contributed through the registry. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [HealthChecksService, HealthProbes, WarmupRegistry],
  exports: [WarmupRegistry],
})
export class HealthModule {}
