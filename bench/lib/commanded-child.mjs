/** A script as a process of its own that says when it is ready and then carries out commands, one answer for each. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Resolves when the child has sent `{ready}`, with what it sent. `send` resolves or rejects with the answer to a command; `stop`
 * resolves when the child has ended. `onProgress` gets what a command sends before its end.
 */
export async function startChild(script, nodeOptions, env, onProgress) {
  const child = fork(script, { execArgv: ['--max-semi-space-size=16', ...nodeOptions], env });
  const ready = Promise.withResolvers();
  const waiting = new Map([['ready', ready]]);
  const ended = once(child, 'exit').then(([code]) => {
    for (const { reject } of waiting.values()) reject(new Error(`The service ended with exit code ${code}.`));
  });
  child.on('message', (message) => {
    if (message.ready !== undefined) ready.resolve(message.ready);
    else if (message.seeded !== undefined) onProgress(message.seeded);
    else if (message.failed !== undefined) waiting.get(message.id).reject(new Error(message.failed));
    else waiting.get(message.id).resolve(message.done);
  });
  const facts = await ready.promise;
  let last = 0;
  const send = (name, rest = {}) => {
    const id = String((last += 1));
    const answer = Promise.withResolvers();
    waiting.set(id, answer);
    child.send({ id, do: name, ...rest });
    return answer.promise.finally(() => waiting.delete(id));
  };
  const stop = async () => {
    if (child.connected) child.send({ do: 'stop' });
    await ended;
  };
  return { ready: facts, pid: child.pid, send, stop };
}
