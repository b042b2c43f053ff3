export { IngestionModule } from './ingestion.module.js';
