export { meterCalls } from './meter-calls.js';
export { Metrics, type Sample } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
