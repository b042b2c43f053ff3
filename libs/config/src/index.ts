export { ConfigModule } from './config.module.js';
export { renderExampleFile } from './example-file.js';
export { findLocalModelFiles, type LocalModelFiles } from './local-model-files.js';
export { loadEnvironmentFile, loadSettings, plainEnvironment, Settings, SettingsError } from './load-settings.js';
export { RATE_LIMIT_CLASSES, rateLimitsOf, type RateLimitClass, type RateLimits } from './rate-limit-settings.js';
export type { SettingsValues } from './settings.js';
