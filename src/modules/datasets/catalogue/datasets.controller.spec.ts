import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CatalogueError } from '#libs/common';
import { RequestValidationPipe, toCatalogueError, toProblem } from '#libs/http';
import type { ContextRequest } from '#libs/tenancy';
import { CategoriesController } from '../categories/categories.controller.js';
import { CategoriesService } from '../categories/categories.service.js';
import { DatasetCreationService } from './dataset-creation.service.js';
import { DatasetDeletionService } from '../deletion/dataset-deletion.service.js';
import { DatasetUpdateService } from './dataset-update.service.js';
import { DatasetsController } from './datasets.controller.js';
import { DatasetsService } from './datasets.service.js';

const ID = '01890000-0000-7000-8000-000000000001';
const CONTEXT = { requestId: 'r' };

describe('the dataset routes', () => {
  let app: NestFastifyApplication;
  const answer = vi.fn();

  beforeAll(async () => {
    const stub = (...methods: string[]) => Object.fromEntries(methods.map((name) => [name, answer]));
    const testing = await Test.createTestingModule({
      controllers: [DatasetsController, CategoriesController],
      providers: [
        { provide: DatasetsService, useValue: stub('list', 'get') },
        { provide: DatasetCreationService, useValue: stub('create') },
        { provide: DatasetUpdateService, useValue: stub('update') },
        { provide: DatasetDeletionService, useValue: stub('delete') },
        {
          provide: CategoriesService,
          useValue: { ...stub('create', 'update', 'delete'), tree: async () => 'the tree' },
        },
      ],
    }).compile();
    app = testing.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    app.useGlobalPipes(new RequestValidationPipe());
    app.useGlobalFilters({
      catch: (thrown, host) => {
        const request = host.switchToHttp().getRequest();
        const error: CatalogueError = toCatalogueError(thrown, request);
        void host
          .switchToHttp()
          .getResponse()
          .status(error.status)
          .send(toProblem(error, request.url, 'r'));
      },
    });
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', async (request) => {
        (request as ContextRequest).kbContext = CONTEXT as never;
      });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(async () => app.close());

  beforeEach(() => {
    answer.mockReset();
    answer.mockResolvedValue({ version: 7, record: { id: ID, category_ids: [ID] } });
  });

  const post = (payload: object) => app.inject({ method: 'POST', url: '/datasets', payload });
  const patch = (payload: object, headers = {}) =>
    app.inject({ method: 'PATCH', url: `/datasets/${ID}`, payload, headers });

  it('answer a new dataset with its location and entity tag', async () => {
    const response = await post({ name: 'x', metadata: { a: { b: [null, { c: 1 }], d: null } }, description: null });
    expect(response.statusCode).toBe(201);
    expect(response.headers).toMatchObject({
      location: `/api/v1/datasets/${ID}`,
      etag: expect.stringMatching(/^W\/"7\.[\w-]{22}"$/),
    });
    const metadata = { a: { b: [null, { c: 1 }], d: null } };
    expect(answer.mock.lastCall).toEqual([CONTEXT, { name: 'x', metadata, description: null }]);
  });

  it.each<[object, string]>([
    [{}, '/name'],
    [{ name: null }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'a\u0007' }, '/name'],
    [{ name: 'x', acl: 'public' }, '/acl'],
    [{ name: 'x', acl: null }, '/acl'],
    [{ name: 'x', description: 'd'.repeat(4097) }, '/description'],
    [{ name: 'x', metadata: [] }, '/metadata'],
    [{ name: 'x', metadata: null }, '/metadata'],
    [{ name: 'x', metadata: { a: 'x'.repeat(65_536) } }, '/metadata'],
    [{ name: 'x', partial_member_list: ['me'] }, '/partial_member_list'],
    [{ name: 'x', category_ids: null }, '/category_ids'],
    [{ name: 'x', colour: 'red' }, '/colour'],
  ])('refuse to create %j', async (payload, pointer) => {
    const response = await post(payload);
    expect(response.statusCode).toBe(422);
    const { code, errors } = response.json<{ code: string; errors: { pointer: string }[] }>();
    expect(code).toBe('http.validation_failed');
    expect([...new Set(errors.map((problem) => problem.pointer))]).toEqual([pointer]);
    expect(answer).not.toHaveBeenCalled();
  });

  it('pass a patch on unchanged, with the version in If-Match', async () => {
    const sent = { metadata: { a: null, b: { c: null } } };
    const response = await patch(sent, { 'if-match': '"6"' });
    expect(response.headers['etag']).toMatch(/^W\/"7\./);
    expect(answer.mock.lastCall).toEqual([CONTEXT, ID, sent, '"6"']);
    expect((await patch({})).statusCode).toBe(200);
    expect(answer.mock.lastCall).toEqual([CONTEXT, ID, {}, undefined]);
    expect((await patch({ metadata: null, description: null })).statusCode).toBe(200);
  });

  it.each([{ name: null }, { acl: null }, { partial_member_list: null }, { category_ids: null }, { owner_id: ID }])(
    'refuse the patch %j',
    async (payload) => expect((await patch(payload)).statusCode).toBe(422),
  );

  it('do not take the path of the category tree for a dataset', async () => {
    expect((await app.inject({ method: 'GET', url: '/datasets/categories/tree' })).payload).toBe('the tree');
  });

  it.each(['order_by=size', 'limit=0', 'limit=101', 'skip=-1', 'category_id=x', 'colour=red'])(
    'refuse the list query %s',
    async (query) => {
      const response = await app.inject({ method: 'GET', url: `/datasets?${query}` });
      expect(response.statusCode).toBe(422);
    },
  );

  it('list the newest 20 by default', async () => {
    await app.inject({ method: 'GET', url: '/datasets?q=x' });
    expect(answer.mock.lastCall).toEqual([CONTEXT, { skip: 0, limit: 20, order_by: '-created_at', q: 'x' }]);
  });

  it('answer a deletion with 202, that of a category with 204', async () => {
    expect((await app.inject({ method: 'DELETE', url: `/datasets/${ID}` })).statusCode).toBe(202);
    expect((await app.inject({ method: 'DELETE', url: `/datasets/categories/${ID}` })).statusCode).toBe(204);
  });

  it('replace categories as a set', async () => {
    const response = await app.inject({
      method: 'PUT',
      url: `/datasets/${ID}/categories`,
      payload: { category_ids: [] },
    });
    expect(response.json()).toEqual({ category_ids: [ID] });
    expect(answer.mock.lastCall).toEqual([CONTEXT, ID, { category_ids: [] }, undefined]);
  });

  it('are all described', () => {
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(Object.keys(document.paths).sort()).toEqual([
      '/datasets',
      '/datasets/categories',
      '/datasets/categories/tree',
      '/datasets/categories/{category_id}',
      '/datasets/{id}',
      '/datasets/{id}/categories',
    ]);
  });
});
