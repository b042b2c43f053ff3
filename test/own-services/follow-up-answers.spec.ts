import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient, type DocumentRecord } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { ProviderProcess } from '../support/provider-process.js';
import { ServiceProcess } from '../support/service-process.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const VALVE = 'The valve opens at 12 bar.';
const REPEATED = `The valve opens at 12 bar. [1] As was said, the pump must be serviced every 500 hours.`;

interface Turn {
  readonly answer: { readonly content: string } | null;
  readonly withheld: { readonly code: string } | null;
}

let double: ProviderProcess;
let service: ServiceProcess;
let client: ApiClient;
let pumps: string;
let pump: DocumentRecord;
let conversation: string;

beforeAll(async () => {
  double = await ProviderProcess.start('openai');
  const settings = {
    CHAT_PROVIDER: 'openai',
    CHAT_MODEL: 'double-chat',
    OPENAI_BASE_URL: double.baseUrl,
    OPENAI_API_KEY: 'sk-of-the-office',
  };
  service = await ServiceProcess.start({ settings });
  client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  pumps = await client.createDataset('Pumps');
  const valves = await client.createDataset('Valves');
  pump = await ingest(client, pumps, { name: 'pump.txt', content: PUMP });
  await ingest(client, valves, { name: 'valve.txt', content: VALVE });
  conversation = (await client.post<{ id: string }>('/conversations', {})).id;
  await double.next({ kind: 'text', text: `${PUMP} [1]` });
  await ask('How often must the hydraulic pump be serviced?', pumps);
  await double.next({ kind: 'text', text: REPEATED });
  await ask('When does the valve open?', valves);
});

afterAll(async () => {
  await service?.dispose();
  await double?.stop();
});

async function ask(content: string, dataset: string): Promise<void> {
  await client.post('/chat/completions', {
    messages: [{ role: 'user', content }],
    dataset_ids: [dataset],
    conversation_id: conversation,
  });
}

const read = async (): Promise<readonly Turn[]> =>
  (await client.get<{ turns: Turn[] }>(`/conversations/${conversation}`)).turns;
const codes = async (): Promise<unknown[]> => (await read()).map(({ withheld }) => withheld?.code ?? null);

it('a follow-up answer that repeats an earlier one goes out of sight with the document of that one, and for good', async () => {
  expect(await codes()).toEqual([null, null]);
  expect((await read())[1]!.answer!.content).toContain('500 hours');
  await client.delete(`/documents/${pump.id}`);
  expect(await codes()).toEqual(['SOURCE_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT']);
  expect(JSON.stringify(await read())).not.toContain('500 hours');
});
