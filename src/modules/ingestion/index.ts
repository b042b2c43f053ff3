export { withoutContent } from './attempt/content-inspection.service.js';
export { DryRunModule } from './dry-run/dry-run.module.js';
export { IngestionModule } from './ingestion.module.js';
export { fitChunking } from './pipeline/fit-to-model.js';
export { parsePlanOf } from './pipeline/parse-options.js';
