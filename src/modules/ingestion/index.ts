export { DryRunModule } from './dry-run.module.js';
export { IngestionModule } from './ingestion.module.js';
