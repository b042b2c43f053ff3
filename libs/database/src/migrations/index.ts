import { Initial0001 } from './0001-initial.js';
import { Operations0002 } from './0002-operations.js';

/** Every migration in the order in which it runs. A new one is appended; a landed one is never changed. */
export const MIGRATIONS = [Initial0001, Operations0002];
