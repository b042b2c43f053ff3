export { HealthWatchModule } from './health-watch.module.js';
export { HealthModule } from './health.module.js';
export { WarmupRegistry } from './components/warmup-registry.service.js';
