import { prepareLanceEnvironment } from './lance-threads.js';

export type Lance = typeof import('@lancedb/lancedb');

let loading: Promise<Lance> | undefined;

/** LanceDB's module, loaded at the first call and only then, with its environment prepared. */
export function loadLance(): Promise<Lance> {
  if (loading === undefined) {
    prepareLanceEnvironment();
    loading = import('@lancedb/lancedb');
  }
  return loading;
}
