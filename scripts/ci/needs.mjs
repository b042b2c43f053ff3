/** What several tiers need, prepared once: programs of the system, search engines, and being root. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runLogged, spawnGroup } from './run-logged.mjs';

const INSTALL_MINUTES = 5;
const FETCH_MINUTES = 10;
/** Three minutes on two idle cores, which here are busy with tiers. */
const BUILD_MINUTES = 20;
const START_MS = 5 * 60_000;
/** What scripts/engines.mjs, scripts/s3.mjs and those of clients end with where a machine cannot carry them. */
const CANNOT = 2;

/** The package of `install:NAME` or `install:NAME?`. */
function nameOf(need) {
  return need.slice('install:'.length).replace(/\?$/, '');
}

/** A state is `{ready: true, env?}`, `{ready: false, absent: reason}` where this machine cannot have it, or `{ready: false, failed: reason}`. */
export class Needs {
  #logs;
  #packages = new Set();
  #installed;
  #engines;

  /** @param {string} logs folder @param {Iterable<string>} all everything that will be asked for */
  constructor(logs, all) {
    this.#logs = logs;
    for (const need of all) if (need.startsWith('install:')) this.#packages.add(nameOf(need));
  }

  async prepare(need) {
    try {
      if (need === 'root') return process.getuid?.() === 0 ? { ready: true } : absent('only root can do this');
      if (need === 'engines') return await this.#startEngines();
      if (need === 's3') return await this.#buildS3();
      if (need === 'python-clients') return await this.#installClients('clients for Python', 'python-clients');
      if (need === 'client-generators') return await this.#installClients('generators of clients', 'generated-clients');
      const state = await this.#have(nameOf(need));
      // Its tier plays without what this machine cannot have.
      return need.endsWith('?') && 'absent' in state ? { ready: true } : state;
    } catch (error) {
      return failed(String(error));
    }
  }

  async release(need) {
    if (need !== 'engines' || this.#engines === undefined || this.#engines.exitCode !== null) return;
    const ended = once(this.#engines, 'exit');
    this.#engines.kill('SIGTERM');
    await ended;
  }

  async #have(program) {
    if (isThere(program)) return { ready: true };
    if (process.getuid?.() !== 0 || !isThere('apt-get')) {
      return absent(`${program} is missing, and only root can install it with apt-get`);
    }
    this.#installed ??= this.#installMissing();
    const { log } = await this.#installed;
    return isThere(program) ? { ready: true } : failed(`install ${program}: ${log}`);
  }

  /** All at once: apt-get takes one lock. A package that cannot be installed must not keep the others away. */
  async #installMissing() {
    const missing = [...this.#packages].filter((name) => !isThere(name));
    const install = 'apt-get install -yq --no-install-recommends';
    const command = `apt-get update -q; ${install} ${missing.join(' ')} || for one in ${missing.join(' ')}; do ${install} "$one"; done`;
    // RUNLEVEL keeps packages from starting servers of their own.
    const env = { RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
    return runLogged(this.#logs, `install ${missing.join(' ')}`, { command, env, limitMinutes: INSTALL_MINUTES });
  }

  /** Its tier starts a server of its own, in milliseconds. */
  async #buildS3() {
    const command = 'node scripts/s3.mjs --check';
    const built = await runLogged(this.#logs, 'build the S3 server', { command, limitMinutes: BUILD_MINUTES });
    if (built.code === CANNOT) return absent(built.tail(3));
    return built.code === 0 ? { ready: true } : failed(`npm run s3 -- --check: ${built.tail(20)}`);
  }

  async #installClients(title, script) {
    const command = `node scripts/${script}.mjs --check`;
    const installed = await runLogged(this.#logs, title, { command, limitMinutes: FETCH_MINUTES });
    if (installed.code === CANNOT) return absent(installed.tail(1));
    return installed.code === 0 ? { ready: true } : failed(`${command}: ${installed.tail(20)}`);
  }

  async #startEngines() {
    const command = 'node scripts/engines.mjs --check';
    const fetched = await runLogged(this.#logs, 'fetch engines', { command, limitMinutes: FETCH_MINUTES });
    if (fetched.code === CANNOT) return absent(fetched.tail(3));
    if (fetched.code !== 0) return failed(`npm run engines -- --check: ${fetched.tail(20)}`);
    this.#engines = spawnGroup('node', ['scripts/engines.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
    return readAddresses(this.#engines);
  }
}

/** Until the engines say that they are there. */
async function readAddresses(engines) {
  const env = {};
  const late = setTimeout(() => engines.kill('SIGTERM'), START_MS);
  for await (const line of createInterface({ input: engines.stdout })) {
    const [, name, url] = /^([A-Z]+_URL)=(.+)$/.exec(line) ?? [];
    if (name !== undefined) Object.assign(env, { [name]: url, [`TEST_${name}`]: url });
    else if (/^\w+ \d/.test(line)) process.stdout.write(`       ${line}\n`);
    if (!line.startsWith('Stop them')) continue;
    clearTimeout(late);
    engines.stdout.resume();
    return { ready: true, env };
  }
  clearTimeout(late);
  return failed('npm run engines ended before both engines were there');
}

function isThere(program) {
  return spawnSync('sh', ['-c', `command -v "$1"`, 'sh', program], { stdio: 'ignore' }).status === 0;
}

const absent = (reason) => ({ ready: false, absent: reason });
const failed = (reason) => ({ ready: false, failed: reason });
