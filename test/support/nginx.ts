import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#testing/until';
import { freePort, listens } from './own-port.js';

const OPERATIONS = new URL('../../docs/operations/reverse-proxy.md', import.meta.url);
const DOCUMENTED_UPSTREAM = 'http://127.0.0.1:8000';

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** The locations that docs/operations/reverse-proxy.md shows, word for word. */
export async function documentedLocations(): Promise<string> {
  const [, block] = /^```nginx\n([^]*?)^```$/m.exec(await readFile(OPERATIONS, 'utf8')) ?? [];
  if (block === undefined) throw new Error('docs/operations/reverse-proxy.md shows no settings of nginx.');
  if (!block.includes(DOCUMENTED_UPSTREAM))
    throw new Error(`docs/operations/reverse-proxy.md does not name ${DOCUMENTED_UPSTREAM}.`);
  return block;
}

/** A real nginx in front of a service. `stop` must be called. */
export class Nginx {
  /** Base address of the service through it, with its prefix. */
  readonly url: string;
  private readonly child: ChildProcess;
  private readonly folder: string;

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.child = child;
    this.folder = folder;
    this.url = url;
  }

  /**
   * Starts it with these locations, whose documented address is replaced by the service's, and `more` beside them, `upstream` outside
   * of them; nothing else is set that bears on what passes through.
   */
  static async start(serviceUrl: string, locations: string, more = '', upstream = ''): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'kb-nginx-'));
    const port = await freePort();
    const { origin, pathname } = new URL(serviceUrl);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const file = join(folder, 'nginx.conf');
    await writeFile(
      file,
      `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log warn;
events { worker_connections 256; }
http { access_log off; ${temporary.join(' ')}
${upstream}
server { listen 127.0.0.1:${port};
${more}
${locations.replaceAll(DOCUMENTED_UPSTREAM, origin)} } }
`,
    );
    const child = spawn('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', file], { stdio: 'ignore' });
    const nginx = new Nginx(child, folder, `http://127.0.0.1:${port}${pathname}`);
    try {
      await until(async () => child.exitCode !== null || (await listens(port)), { what: 'nginx' });
      if (child.exitCode !== null) throw new Error(await nginx.errors());
    } catch (error) {
      await nginx.stop();
      throw error;
    }
    return nginx;
  }

  /** What it complained of. */
  errors(): Promise<string> {
    return readFile(join(this.folder, 'error.log'), 'utf8');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
