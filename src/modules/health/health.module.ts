import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthChecksService } from './probes/health-checks.service.js';
import { HealthWatchModule } from './health-watch.module.js';
import { HealthController } from './probes/health.controller.js';
import { MetricsController } from './probes/metrics.controller.js';

/** Probes and details over HTTP. Modules contribute warm-ups through the registry. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false }), HealthWatchModule],
  controllers: [HealthController, MetricsController],
  providers: [HealthChecksService],
  exports: [HealthWatchModule],
})
export class HealthModule {}
