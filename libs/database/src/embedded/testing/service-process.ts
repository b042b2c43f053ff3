import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { EmbeddedPostgresOptions } from '../embedded-postgres.js';

/** With `--experimental-transform-types` lets plain Node run the TypeScript sources: `./x.js` is `./x.ts` here. */
const RESOLVE_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(specifier, context, next) {
    try { return next(specifier, context); }
    catch (error) { if (!specifier.endsWith('.js')) throw error; return next(specifier.slice(0, -3) + '.ts', context); }
  } });`;

const SERVICE = `
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  const send = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
  try {
    const log = (event) => send({ event });
    const server = await startEmbeddedPostgres({ ...JSON.parse(process.argv[2]), log });
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)));
    send({ url: server.superuserUrl, home: server.dataDirectory, reused: server.reused });
    setInterval(() => undefined, 60_000);
  } catch (error) { send({ code: error.code, message: error.message }); }`;

/** One line that a service process prints: an event of the manager, its success, or its failure. */
export interface ServiceLine {
  readonly event?: string;
  readonly url?: string;
  readonly home?: string;
  readonly reused?: boolean;
  readonly code?: string;
  readonly message?: string;
}

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Resolves with the first line that fits; rejects when the process ends before. */
  line(fits: (line: ServiceLine) => boolean): Promise<ServiceLine>;
  /** Ends it and resolves when it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Runs `startEmbeddedPostgres` in a process of its own, as user `uid` when one is given. */
export function startServiceProcess(options: Omit<EmbeddedPostgresOptions, 'log'>, uid?: number): ServiceProcess {
  const hook = `data:text/javascript,${encodeURIComponent(RESOLVE_SOURCES)}`;
  const module = new URL('../embedded-postgres.ts', import.meta.url).href;
  const flags = [
    '--experimental-transform-types',
    '--no-warnings',
    '--conditions=source',
    '--import',
    hook,
    '--input-type=module',
    '--eval',
    SERVICE,
  ];
  const child = spawn(process.execPath, [...flags, module, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid, cwd: '/' }),
  });
  const seen: ServiceLine[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (text) => seen.push(JSON.parse(text) as ServiceLine));
  return {
    child,
    line: async (fits) => {
      for (let next = 0; ;) {
        for (; next < seen.length; next++) if (fits(seen[next]!)) return seen[next]!;
        const ended = new AbortController();
        const gone = once(lines, 'close', { signal: ended.signal }).then(() => 'closed');
        const what = await Promise.race([once(lines, 'line', { signal: ended.signal }), gone]);
        ended.abort();
        gone.catch(() => undefined);
        if (what === 'closed') throw new Error(`The service process ended; it printed ${JSON.stringify(seen)}`);
      }
    },
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
