import type { SumAnswer, SumRequest } from './sum-worker';

let worker: Worker | undefined;
let lastId = 0;
const asked = new Map<number, (sum: string | undefined) => void>();

/** SHA-256 of a file, made beside the page, which goes on meanwhile. Undefined where it cannot be made: then the file is sent unseen. */
export function sumOf(file: File): Promise<string | undefined> {
  worker ??= startWorker();
  const id = (lastId += 1);
  const answer = new Promise<string | undefined>((resolve) => asked.set(id, resolve));
  worker.postMessage({ id, file } satisfies SumRequest);
  return answer;
}

function startWorker(): Worker {
  const made = new Worker(new URL('./sum-worker.ts', import.meta.url), { type: 'module' });
  made.onmessage = ({ data }: MessageEvent<SumAnswer>) => {
    asked.get(data.id)?.(data.sum);
    asked.delete(data.id);
  };
  made.onerror = () => {
    // It could not be loaded, as when the service has a newer console by now.
    worker = undefined;
    for (const answer of asked.values()) answer(undefined);
    asked.clear();
  };
  return made;
}
