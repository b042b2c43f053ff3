import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { HealthModule, WarmupRegistry } from '../modules/health/index.js';
import { RetrievalModule, RetrievalWarmup } from '../modules/retrieval/index.js';

/** Connects warm-ups with health, which knows no module. */
@Module({ imports: [HealthModule, RetrievalModule] })
export class WarmupModule implements OnApplicationBootstrap {
  constructor(
    private readonly registry: WarmupRegistry,
    private readonly retrieval: RetrievalWarmup,
  ) {}

  onApplicationBootstrap(): void {
    this.registry.start('retrieval', () => this.retrieval.ensureWarm());
  }
}
