export { acquireFolderLock, FolderInUseError, type FolderLock } from './folder-lock.js';
export {
  identifyProcess,
  isAlive,
  signalProcess,
  stateOf,
  type ProcessIdentity,
  type ProcessState,
} from './process-identity.js';
export { HAS_PROC, readOrNull } from './proc-files.js';
export { psLine } from './ps-line.js';
