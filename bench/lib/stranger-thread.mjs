import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const ASK_EVERY_MS = 5;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longest = 0;
let isLeaving = false;
parentPort.once('message', () => (isLeaving = true));

await ask();
parentPort.postMessage('here');
while (!isLeaving) {
  const began = performance.now();
  await ask();
  longest = Math.max(longest, performance.now() - began);
  await wait(ASK_EVERY_MS);
}
agent.destroy();
parentPort.postMessage(longest);

function ask() {
  return new Promise((resolve, reject) => {
    const sent = request(workerData, { agent }, (answer) => {
      answer.resume().once('end', resolve).once('error', reject);
    });
    sent.once('error', reject).end();
  });
}
