export { KEY_FOLDER, readOrMakeKeyFile } from './key-file.js';
export { SealBroken, SecretsBox } from './secrets-box.js';
export { loadSecretsKeys, type SecretsKey, type SecretsKeys } from './secrets-keys.js';
export { SecretsModule } from './secrets.module.js';
