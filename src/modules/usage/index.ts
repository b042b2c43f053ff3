export { DatasetNames } from './report/dataset-names.port.js';
export { installedPrices, ModelCosts } from './ledger/model-costs.service.js';
export { SharedModelTurns } from './ledger/shared-model-turns.js';
export { TenantModelLedger, type LedgerOptions } from './ledger/tenant-model-ledger.js';
export { TenantBytes } from './report/tenant-bytes.port.js';
export { UsageModule } from './usage.module.js';
export { BUDGET_EXHAUSTED } from './usage.errors.js';
