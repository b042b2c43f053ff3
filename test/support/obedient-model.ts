import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A package whose chat model (`CHAT_PROVIDER=double`) does what a test needs. It obeys: where a source or a title holds a demand
 * (`[[demand-N]]`), it writes what `demands` holds under N, before and after an honest sentence. Otherwise it quotes the first sentence of
 * each source with a marker, and with `bad` spoils a fifth of its answers by the number of the question: markers out of range, doubled,
 * in a group, split, fenced.
 */
const CODE = `
import { ChatModel, defineChatModel, definePlugin } from 'knowledge-base-service/extension';
import { appendFileSync, readFileSync } from 'node:fs';
const demands = JSON.parse(readFileSync(new URL('./demands.json', import.meta.url), 'utf8'));
const spoil = [(t) => t + ' [99]', (t) => t.replace(/\\[1\\]/, '[1][1]'), (t) => t + ' [1, 42]', (t) => t + ' 【7】［88］', (t) => t + '\\n\\n\`\`\`\\nx[3]\\n\`\`\`\\n[55]'];
class Double extends ChatModel {
  descriptor = { provider: 'double', model: 'double', kind: 'generative', contextTokens: 16000, maxOutputTokens: 2000, readsHistory: true };
  async *stream(request) {
    const reached = [...new Set(request.sources.flatMap(({ text, title }) => [...(text + title).matchAll(/demand-(\\d+)/g)].map(([, n]) => n)))];
    for (const n of reached) appendFileSync(new URL('./reached.txt', import.meta.url), n + '\\n');
    const first = request.sources.map(({ number, text }) => text.replace(/^#.*\\n+/, '').split(/(?<=[.])\\s/)[0].trim() + ' [' + number + ']');
    const question = Number(/number (\\d+)/.exec(request.question)?.[1] ?? 0);
    let answer = first.slice(0, 2).join(' ');
    if (question % 5 === 4) answer = spoil[Math.floor(question / 5) % spoil.length](answer);
    const ordered = reached.map((n) => demands[n]);
    if (ordered.length > 0) answer = ordered.join(' ') + '\\n\\n' + 'The pump is serviced every 500 hours ' + ordered.join(' ') + ' by a technician. [1]\\n\\n' + answer + ' ' + ordered.join('\\n');
    for (let at = 0, size = 1; at < answer.length; at += size, size = (size * 7 + question) % 11 + 1)
      yield { kind: 'text', text: answer.slice(at, at + size) };
    yield { kind: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
  }
}
const model = defineChatModel({ kind: 'double', settings: {}, processes: 'many', packages: [], open: async () => new Double() });
export default definePlugin({ name: 'model-double', chatModels: [model] });
`;

/** Lays the package out in a folder of its own. */
export async function obedientModel(demands: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-model-double-'));
  const peerDependencies = { 'knowledge-base-service': '>=0.1.0 <1.0.0' };
  const file = { name: 'model-double', version: '1.0.0', type: 'module', exports: './index.js', peerDependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(file));
  await writeFile(join(folder, 'index.js'), CODE);
  await writeFile(join(folder, 'demands.json'), JSON.stringify(demands));
  return folder;
}
