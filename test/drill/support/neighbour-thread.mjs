/** Tenant B of `drill:neighbours`, in a thread of its own so that what the drill does meanwhile is not measured: asks one after the other. */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const PAUSE_MS = 5;
const { url, headers, asked } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let isAsking = false;

parentPort.on('message', (said) => {
  isAsking = said === 'begin';
  if (isAsking) void askUntilEnd();
});

async function askUntilEnd() {
  const times = asked.map(() => []);
  for (let round = 0; isAsking; round += 1) {
    for (const [index, each] of asked.entries()) {
      const began = performance.now();
      await ask(each, round);
      times[index].push(performance.now() - began);
      await wait(PAUSE_MS);
    }
  }
  parentPort.postMessage(times);
}

function ask({ method, path, bodies }, round) {
  const body = bodies?.[round % bodies.length];
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${method} ${path} answered ${answer.statusCode}.`));
      answer.resume().once('end', resolve).once('error', reject);
    });
    sent.once('error', reject).end(body);
  });
}
