import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SilentS3Server } from '../../libs/object-storage/src/testing/silent-s3-server.js';
import { until } from '#testing/until';
import { ApiClient, uploadForm, type Answer } from '../support/api-client.js';
import { CrampedEngine } from '../support/cramped-engine.js';
import { ServiceProcess } from '../support/service-process.js';

interface Made {
  readonly id: string;
  readonly code: string;
}

interface Details {
  readonly status: string;
  readonly components: Readonly<Record<string, { readonly status: string }>>;
}

/** A service whose server, by these settings, has no space left, with a dataset. */
class FullPlace {
  private constructor(
    readonly service: ServiceProcess,
    readonly client: ApiClient,
    readonly datasetId: string,
  ) {}

  static async start(settings: Record<string, string>): Promise<FullPlace> {
    const service = await ServiceProcess.start({ settings });
    const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    return new FullPlace(service, client, await client.createDataset('full'));
  }

  send(content: string): Promise<Answer<Made>> {
    const file = { name: `${content.slice(0, 8).trim()}.txt`, content, mediaType: 'text/plain' };
    return this.client.send('POST', '/documents/upload', uploadForm(file, { dataset_id: this.datasetId }));
  }

  /** Refused as on a full volume, while all that writes little goes on. */
  async expectLow(): Promise<void> {
    const { status, headers, body } = await this.send('refused text');
    expect({ status, code: body.code, after: headers.get('retry-after') }).toEqual({
      status: 507,
      code: 'storage.low',
      after: '30',
    });
    // Below the reserve all that writes much is refused, not only what meets the server.
    expect((await this.client.send('POST', '/documents/batch/reingest', { document_ids: [] })).status).toBe(507);
    await new ApiClient(this.service.url).login(this.service.admin.email, this.service.admin.password);
    expect((await this.client.send('GET', '/health/ready')).status).toBe(200);
    expect((await this.client.send('GET', `/documents/?dataset_id=${this.datasetId}`)).status).toBe(200);
  }
}

describe('a service whose S3 server has no space left', () => {
  let server: SilentS3Server;
  let place: FullPlace;

  beforeAll(async () => {
    server = await SilentS3Server.start();
    place = await FullPlace.start({
      OBJECT_STORAGE: 's3',
      S3_ENDPOINT: server.endpoint,
      S3_BUCKET: 'files',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    });
  });
  afterAll(async () => {
    await place?.service.dispose();
    await server?.close();
  });

  it('refuses uploads as on a full volume, answers searches, deletes, and takes files again when there is space', async () => {
    const { status, body } = await place.send('The keeper counts the lamps.');
    expect(status).toBe(201);
    await place.client.pollUntilTerminal(body.id);
    server.isFull = true;
    expect((await place.send('one more text')).status).toBe(507);
    await place.expectLow();
    expect((await place.client.search('lamps', [place.datasetId])).results).toHaveLength(1);
    await place.client.delete(`/documents/${body.id}`);
    server.isFull = false;
    await until(async () => (await place.send(`again ${Math.random()}`)).status === 201, {
      what: 'an upload that is taken',
      withinMs: 90_000,
    });
  });
});

describe('a service whose search engine has no space left', () => {
  let engine: CrampedEngine;
  let place: FullPlace;

  beforeAll(async () => {
    engine = await CrampedEngine.start('disks');
    place = await FullPlace.start({ VECTOR_STORE: 'elasticsearch', ELASTICSEARCH_URL: engine.url });
  });
  afterAll(async () => {
    await place?.service.dispose();
    await engine?.close();
  });

  it('lets documents wait with the reason, refuses uploads, and is ready', async () => {
    const { body } = await place.send('The keeper counts the lamps.');
    const waiting = async (): Promise<string | null> =>
      (await place.client.get<{ waiting_reason: string | null }>(`/documents/${body.id}`)).waiting_reason;
    await until(async () => (await waiting()) === 'storage_low', { what: 'the reason', withinMs: 60_000 });
    await place.expectLow();
    const { components } = await place.client.get<Details>('/health/details');
    expect(components['vector_backend']!.status).toBe('degraded');
  });
});
