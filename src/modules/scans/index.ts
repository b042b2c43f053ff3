export { ScansModule, ScansWorkModule } from './scans.module.js';
export { SCAN_COMPLETED, type ScanCompleted } from './scans.events.js';
