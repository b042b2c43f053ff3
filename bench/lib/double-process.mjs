/** A double of OpenAI in a process of its own (scripts/provider-double.mjs), for benches. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../../scripts/provider-double.mjs', import.meta.url));

/**
 * Starts it on a free port. `set` changes its settings, `say` what it answers every chat, `answer` how it answers questions over sources;
 * `stop` must be called.
 */
export async function startDouble() {
  const child = spawn(process.execPath, [ENTRY, 'openai'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { origin, baseUrl } = JSON.parse(line);
  const put = async (what, body) => {
    const answer = await fetch(`${origin}/_double/${what}`, { method: 'PUT', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The double answered ${answer.status}.`);
  };
  return {
    baseUrl,
    set: (settings) => put('settings', settings),
    answer: (answerer) => put('answerer', answerer),
    say: (text) => put('always', { kind: 'text', text }),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
