export { TablesModule, TablesWorkModule } from './tables.module.js';
