/** What the service's own process holds once its garbage is collected. */
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const LOADED = new URL('./collected-memory.mjs', import.meta.url).href;
const ANSWER_MS = 20_000;

/** Settings with which a service can be asked; `file` is where it answers. */
export function memorySettings(file) {
  return { NODE_OPTIONS: `--import ${LOADED}`, COLLECTED_MEMORY_FILE: file };
}

/** Bytes in use of V8 and beside it (`inUse`), and the resident memory, which keeps what was freed for later. */
export async function readServiceMemory(service, file) {
  await rm(file, { force: true });
  process.kill(service.pid, 'SIGUSR2');
  for (const end = Date.now() + ANSWER_MS; Date.now() < end; await pause(20)) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const { heap, external, resident } = JSON.parse(text);
    return { inUse: heap + external, resident };
  }
  throw new Error('The service did not tell its memory.');
}
