export { ScansModule, ScansWorkModule } from './scans.module.js';
