export { HealthModule } from './health.module.js';
export { WarmupRegistry } from './warmup-registry.js';
