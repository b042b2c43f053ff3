export { DatasetNames } from './dataset-names.port.js';
export { installedPrices, ModelCosts } from './model-costs.js';
export { SharedModelTurns } from './shared-model-turns.js';
export { TenantModelLedger, type LedgerOptions } from './tenant-model-ledger.js';
export { TenantBytes } from './tenant-bytes.port.js';
export { UsageModule } from './usage.module.js';
export { BUDGET_EXHAUSTED } from './usage.errors.js';
