export {
  anyAdapter,
  kindsOf,
  missingSettings,
  openAdapter,
  openFormerOf,
  registerAdapters,
  valuesOf,
  type AdapterDefinition,
  type AdapterPort,
  type AdapterPorts,
  type AdapterSettings,
  type AdapterValues,
  type AnnouncedAdapter,
  type ValuesOf,
} from './adapters/adapter.js';
export { findDuplicateSetting } from './adapters/adapter-settings.js';
export { ConfigModule } from './config.module.js';
export { renderExampleFile, renderSettingsPage } from './example-file.js';
export {
  loadEnvironmentFile,
  loadSettings,
  plainEnvironment,
  readDataDir,
  readPluginNames,
  readSetting,
  Settings,
  SettingsError,
} from './load-settings.js';
export type { FurtherModel, FurtherModelPort } from './models-file/further-model.js';
export { findIgnoredEntries, type IgnoredEntry } from './ignored-entries.js';
export { findMisspeltSettings, type MisspeltSetting } from './misspelt-settings.js';
export { parsePrices, type ModelPrice, type ModelPrices } from './model-prices.js';
export type { ReadinessComponent } from './readiness-settings.js';
export { RATE_LIMIT_CLASSES, rateLimitsOf, type RateLimitClass, type RateLimits } from './rate-limit-settings.js';
export { integer, list, oneOf, optionalText, text, url, type Setting } from './setting.js';
export type { SettingsValues } from './settings.js';
