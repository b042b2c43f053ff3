export { meterAdapter, type MeteredPort } from './meter-adapter.js';
export { Metrics, type ObservedCall, type Sample } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
