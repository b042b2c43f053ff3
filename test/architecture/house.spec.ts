import { describe, expect, it } from 'vitest';
import * as house from '../../scripts/house/index.mjs';

const { bannedWords, commentsOf, descriptionsOf, mendPaths, proseOf, readMoves, sourceOf } = house;

const source = (path: string, text: string): house.Source => sourceOf(`src/modules/${path}`, text);
const service = '@Injectable()\nexport class Shelf {}\n';

describe('the rules of the house find what breaks them', () => {
  it('files at the top of a module', () => {
    const files = ['index.ts', 'documents.module.ts', 'documents.events.ts', 'shelf.ts', 'record/shelf.ts'];
    expect(house.looseFiles(files.map((path) => source(`documents/${path}`, '')))).toEqual([['documents', 1]]);
  });

  it('what Nest makes, under a name that does not say so', () => {
    const files = [source('documents/shelf.ts', service), source('documents/shelf.service.ts', service)];
    expect(house.injectableWithoutRole(files)).toEqual(['src/modules/documents/shelf.ts']);
    expect(house.injectableWithoutRole([source('documents/shelf.spec.ts', service)])).toEqual([]);
  });

  it.each(['@TaskHandler(RESCAN)', "@IngestionStep({ name: 'shelf' })", "@DatasetProfileSection({ name: 'shelf' })"])(
    'what Nest finds by a decorator of ours, under a name that does not say so: %s',
    (decorator) => {
      const text = `${decorator}\nexport class Shelf {}\n`;
      const files = [source('documents/shelf.ts', text), source('documents/shelf.task.ts', text)];
      expect(house.injectableWithoutRole(files)).toEqual(['src/modules/documents/shelf.ts']);
    },
  );

  it.each([
    ['a token that a factory makes', '{ provide: Shelf, useFactory: () => new Shelf() }'],
    ['the class that a token is made of', '{ provide: SHELF, useClass: Shelf }'],
    ['what a token means', '{ provide: SHELF, useExisting: Shelf }'],
    ['a provider without a decorator', 'Shelf'],
  ])('what modules provide, under a name that does not say so: %s', (_what, provider) => {
    const module = (path: string): house.Source =>
      source(
        'documents/documents.module.ts',
        `import { Shelf } from '${path}';\n@Module({ providers: [${provider}] })\nexport class DocumentsModule {}\n`,
      );
    const shelf = (path: string): house.Source => source(`documents/${path}`, 'export class Shelf {}\n');
    expect(house.injectableWithoutRole([module('./shelf.js'), shelf('shelf.ts')])).toEqual([
      'src/modules/documents/shelf.ts',
    ]);
    expect(house.injectableWithoutRole([module('./shelf.service.js'), shelf('shelf.service.ts')])).toEqual([]);
  });

  it('what is injected, through the door of its module and under another name', () => {
    const injecting = (type: string): house.Source =>
      source(
        'kg/graph.service.ts',
        `import { Shelf as Books, type Label } from '../documents/index.js';\n@Injectable()\nexport class Graph {\n  constructor(private readonly injected: ${type}) {}\n}\n`,
      );
    const door = source('documents/index.ts', "export { Shelf, type Label } from './record/shelf.js';\n");
    const shelf = source('documents/record/shelf.ts', 'export class Shelf {}\nexport interface Label {}\n');
    expect(house.injectableWithoutRole([injecting('Books'), door, shelf])).toEqual([
      'src/modules/documents/record/shelf.ts',
    ]);
    expect(house.injectableWithoutRole([injecting('Label'), door, shelf])).toEqual([]);
  });

  it('but not values that are injected, each with its reason', () => {
    const files = [
      source(
        'webhooks/webhooks.module.ts',
        "import { DeliveryRules } from './rules.js';\n@Module({ providers: [{ provide: DeliveryRules, useFactory: make }] })\nexport class WebhooksModule {}\n",
      ),
      source('webhooks/rules.ts', 'export class DeliveryRules {}\n'),
    ];
    expect(house.injectableWithoutRole(files)).toEqual([]);
    expect(house.needlessWithoutRole(files)).toEqual(
      Object.keys(house.WITHOUT_ROLE).filter((name) => name !== 'DeliveryRules'),
    );
    expect(house.needlessWithoutRole(house.readSources())).toEqual([]);
  });

  it('a decorator of ours that marks what Nest makes and is not known', () => {
    const text = (name: string): string =>
      `export const MARK = DiscoveryService.createDecorator<Shelf>();\nexport function ${name}(shelf: Shelf) {\n  return MARK(shelf);\n}\n`;
    const files = [source('documents/shelf.ts', text('Shelved')), sourceOf('libs/tasks/src/a.ts', text('TaskHandler'))];
    expect(house.unknownProviderDecorators(files)).toEqual(['Shelved']);
    expect(house.unknownProviderDecorators(house.readSources())).toEqual([]);
  });

  it.each([
    "import { rowsOf, type UnitOfWork } from '#libs/database';",
    "import { DiscoveryService } from '@nestjs/core';",
    "import { In } from 'typeorm';",
    "import * as typeorm from 'typeorm';",
    "import '@nestjs/common';",
    "export { UnitOfWork } from '#libs/database';",
  ])('a file without a role that needs Nest or the database: %s', (line) => {
    const paths = [
      'documents/shelf.ts',
      'documents/shelf.repository.ts',
      'documents/index.ts',
      'documents/shelf.spec.ts',
    ];
    expect(house.impureWithoutRole(paths.map((path) => source(path, `${line}\n`)))).toEqual([
      'src/modules/documents/shelf.ts',
    ]);
  });

  it('but not one that names their types, and those with a reason', () => {
    const types = [
      "import type { UnitOfWork } from '#libs/database';",
      "import { type FindOptionsWhere } from 'typeorm';",
      "export type { Type } from '@nestjs/common';",
      "import { Text } from '#libs/http';",
    ];
    expect(house.impureWithoutRole([source('documents/shelf.ts', types.join('\n'))])).toEqual([]);
    const [listed = ''] = Object.keys(house.IMPURE_WITHOUT_ROLE);
    const files = [sourceOf(listed, "import { result } from '#libs/database';\n")];
    expect(house.impureWithoutRole(files)).toEqual([]);
    expect(house.needlessImpure(files)).not.toContain(listed);
    expect(house.needlessImpure([])).toContain(listed);
    expect(house.needlessImpure(house.readSources())).toEqual([]);
  });

  it('small files without a role', () => {
    const files = [
      source('documents/small.ts', 'export const A = 1;\n'),
      source('documents/large.ts', 'export const A = 1;\n'.repeat(26)),
    ];
    expect(house.smallWithoutRole(files)).toEqual(['src/modules/documents/small.ts']);
  });

  it('libs that one module alone uses', () => {
    const uses = "import { shelf } from '#libs/shelves';\n";
    const files = [source('documents/a.ts', uses), source('documents/b.ts', uses)];
    expect(house.libsOfOneModule(files)).toEqual(['libs/shelves: src/modules/documents']);
    expect(house.libsOfOneModule([...files, source('kg/c.ts', uses)])).toEqual([]);
    expect(house.libsOfOneModule([...files, sourceOf('libs/books/src/d.ts', uses)])).toEqual([]);
    expect(house.libsOfOneModule([sourceOf('libs/shelves/src/own.ts', uses)])).toEqual([]);
  });

  it('small files whose only user is their neighbour', () => {
    const uses = (...names: string[]): string => names.map((name) => `import { a } from './${name}.js';\n`).join('');
    const members = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => source(`documents/members/${name}.ts`, ''));
    const files = [
      source('documents/small.ts', 'export const a = 1;\n'),
      source('documents/late.ts', 'export const a = 1;\n'),
      source('documents/shared.ts', 'export const a = 1;\n'),
      source('documents/find.service.ts', `${uses('small', 'shared')}const b = await import('./late.js');\n`),
      source('documents/list.service.ts', uses('shared')),
      ...members,
      source('documents/members/all.ts', uses('a', 'b', 'c', 'd', 'e', 'f')),
    ];
    expect(house.smallWithOneUser(files)).toEqual([
      'src/modules/documents/small.ts: src/modules/documents/find.service.ts',
    ]);
  });

  it.each([
    "'SELECT id FROM documents'",
    '`\n  WITH found AS (SELECT 1) SELECT * FROM found`',
    '`UPDATE ${table} SET name = $1`',
    "'DELETE FROM documents'",
    "'INSERT INTO documents VALUES (1)'",
    "'SELECT true AS alive'",
    '`SELECT ${COLUMNS} ${fromOf(visible)}`',
    '`FROM documents d WHERE ${condition}`',
    '`ARRAY(SELECT ${main} UNION SELECT j.id FROM accounts j)`',
    '`NOT EXISTS (SELECT 1 FROM unnest(${list}))`',
    'statement({ n: result.integer }, COUNT)',
    'statementFamily({}, (by) => textOf(by), [])',
  ])('SQL outside of a repository: %s', (statement) => {
    const text = `export const FIND = ${statement};\n`;
    const paths = ['documents/find.ts', 'documents/find.repository.ts', 'tables/question-rules/write-statement.ts'];
    const files = paths.map((path) => source(path, text));
    expect(house.sqlOutsideRepositories(files)).toEqual(['src/modules/documents/find.ts']);
  });

  it('sentences, and examples of fields, are no SQL', () => {
    const text = [
      "export const TITLE = 'Select one of the datasets';",
      "export const HINT = 'Update the policy';",
      "export const PROMPT = 'Write one SELECT statement that reads FROM the tables';",
      'export const CONDITION = `${d}.deleted_at IS NULL`;',
      'const statement = statementOf(question);',
      "class Query { @ApiProperty({ example: 'SELECT id FROM sales' }) sql!: string; }",
    ].join('\n');
    expect(house.sqlOutsideRepositories([source('documents/texts.ts', text)])).toEqual([]);
  });

  it('whether something is shown, spelled outside of its owners', () => {
    const text = '// visible_generation\nconst SHOWN = `d.visible_generation = c.generation`;\n';
    const files = [source('kg/graph.ts', text), source('documents/record.ts', text)];
    expect(house.spelledShown(files)).toEqual(['src/modules/kg/graph.ts:2']);
  });

  it('a quarantine of documents, where quarantines have a column of that name too', () => {
    const text = 'const OWN = `q.quarantined_at`;\nconst FOREIGN = `d.quarantined_at IS NULL`;\n';
    const files = [source('governance/quarantine/rows.ts', text), source('governance/rescans/rows.ts', text)];
    expect(house.spelledShown(files)).toEqual([
      'src/modules/governance/quarantine/rows.ts:2',
      'src/modules/governance/rescans/rows.ts:1',
      'src/modules/governance/rescans/rows.ts:2',
    ]);
  });

  it('is asked of the views in every module', () => {
    expect(house.spelledShown(house.readSources())).toEqual([]);
  });

  it('promises and callbacks between files', () => {
    const text = [
      'interface Search {',
      '  readonly scores: Promise<number>;',
      '  readonly onScore: (score: number) => void;',
      '  readonly find: () => Promise<number>;',
      '}',
      'export function rank(scores: Promise<number[]>, onDone: () => void, by: (a: number) => number): void {}',
      'type Listener = (score: number) => void;',
      "export function watch(onScore: Listener, onDuplicate: 'skip' | 'reject'): void {}",
    ].join('\n');
    const places = house.promisesAndCallbacks([source('retrieval/search.ts', text)]);
    expect(places.map((place) => place.split(':')[1])).toEqual(['2', '3', '6', '6', '8']);
  });

  it.each([
    'export function rank(scores: undefined | Promise<number>): void {}',
    'export function rank(scores: readonly Promise<number>[]): void {}',
    'export function rank(scores: ReadonlyMap<string, Promise<number>>): void {}',
    'class Search { private scores: Promise<number> | undefined; }',
    'class Search { private readonly closed = new Promise<void>(close); }',
    'class Search { private last = Promise.resolve(); }',
    'class Search { readonly running = new Map<string, Promise<number>>(); }',
    'class Search { protected running = Promise.withResolvers<void>(); }',
    'interface Search { readonly running: Map<string, Promise<number>>; }',
    'interface Search { onDone(): void; }',
    'interface Search { readonly onDone?: (() => void) | undefined; }',
    'abstract class Search { abstract onDone(): void; }',
    'class Search { onDone = () => undefined; }',
  ])('a promise or a callback in any form: %s', (text) => {
    expect(house.promisesAndCallbacks([source('retrieval/search.ts', text)])).toEqual([
      'src/modules/retrieval/search.ts:1',
    ]);
  });

  it.each([
    'class Search { private readonly running = new Map<string, Promise<number>>(); }',
    'class Search { readonly #running = new Set<Promise<void>>(); }',
    'class Search { private readonly placed: WeakMap<object, Promise<number>>; }',
    'class Search { private news = Promise.withResolvers<void>(); }',
    'class Search { onModuleInit(): void {} async onApplicationShutdown(): Promise<void> {} }',
    'interface Search { readonly find: (text: string) => Promise<number>; rank(text: string): Promise<number>; }',
  ])('but not work under way, hooks and what functions return: %s', (text) => {
    expect(house.promisesAndCallbacks([source('retrieval/search.ts', text)])).toEqual([]);
  });

  it('rooms that need each other, and circles', () => {
    const files = [
      source('chat/answer/a.ts', "import { b } from '../turn/b.js';\n"),
      source('chat/turn/b.ts', "import { c } from '../streams/c.js';\nimport { a } from '../answer/a.js';\n"),
      source('chat/streams/c.ts', "export { d } from '../models/d.js';\n"),
      source('chat/models/d.ts', "import { b } from '../turn/b.js';\n"),
      source('chat/tables/e.ts', "import { b } from '../turn/b.js';\n"),
    ];
    expect(house.mutualRooms(files)).toEqual(['chat/answer → chat/turn']);
    expect(house.roomsInCircles(files)).toEqual(['chat/answer', 'chat/models', 'chat/streams', 'chat/turn']);
  });

  it('words', () => {
    const described = { paths: { '/a': { description: 'How many there are', summary: 'Whoever may read' } } };
    expect(descriptionsOf(described).flatMap(bannedWords)).toEqual([
      '/paths/~1a/description: How many …',
      '/paths/~1a/summary: whoever',
    ]);
    const page = proseOf('docs/a.md', 'It stands `anew` here.\n\n```\nso many\n```\n');
    expect(bannedWords(page)).toEqual(['docs/a.md: stands']);
    const commented =
      "/** Whoever reads. */\nconst nobody = 'so many'; // it stands here\n/**\n * `anew`, of late\n */\n";
    expect(commentsOf({ path: 'a.ts', text: commented }).flatMap(bannedWords)).toEqual([
      'a.ts:1: whoever',
      'a.ts:2: stands',
      'a.ts:4: of late',
    ]);
  });

  it('fields without a description, and those that do not say what null means', () => {
    const text = { type: 'string' };
    const nullable = { oneOf: [text, { type: 'null' }] };
    const described = (field: object, description: string): object => ({ ...field, description });
    const properties = {
      id: text,
      name: described(text, 'Name of the shelf.'),
      book: { $ref: '#/components/schemas/Book' },
      first: { allOf: [{ $ref: '#/components/schemas/Book' }] },
      note: described({ type: ['string', 'null'] }, 'A note.'),
      size: described({ type: ['integer', 'null'] }, 'Number of books; null where they are not counted.'),
      kind: described(nullable, 'Kind of the books.'),
      place: described({ type: 'object', properties: { room: text, floor: described(text, 'Floor.') } }, 'The place.'),
      rows: described({ type: 'array', items: { type: 'object', properties: { width: text } } }, 'The rows.'),
    };
    expect(
      house.undescribedFields({ Shelf: { properties }, Part: { allOf: [{ properties: { end: text } }] } }),
    ).toEqual([
      'Shelf.id: no description',
      'Shelf.first: no description',
      'Shelf.note: does not say what null means',
      'Shelf.kind: does not say what null means',
      'Shelf.place.room: no description',
      'Shelf.rows.width: no description',
      'Part.end: no description',
    ]);
  });

  it('words of messages, but not of names and of instructions to models', () => {
    const text = "const nobody = [`It stands ${here} anew.`, 'stands', 'the user \"nobody\" is missing'];";
    expect(house.messagesOf(source('chat/chat.errors.ts', text)).flatMap(bannedWords)).toEqual([
      'src/modules/chat/chat.errors.ts: stands',
      'src/modules/chat/chat.errors.ts: anew',
    ]);
    expect(house.messagesOf(source('chat/answer-prompt.ts', text))).toEqual([]);
  });
});

describe('files are moved from a list', () => {
  const files = ['src/modules/a/x.ts', 'src/modules/a/x.spec.ts', 'src/modules/a/x-y.ts', 'src/modules/b/index.ts'];
  const moves = readMoves('# rooms\nsrc/modules/a/x.ts src/modules/a/room/\n', files);
  const exists = (path: string): boolean => files.includes(path);

  it('with their specs', () => {
    expect(Object.fromEntries(moves)).toEqual({
      'src/modules/a/x.spec.ts': 'src/modules/a/room/x.spec.ts',
      'src/modules/a/x.ts': 'src/modules/a/room/x.ts',
    });
  });

  it('and paths to and from them are mended, others left', () => {
    const text =
      "import { y } from './x-y.js';\nimport './x.js';\nconst a = new URL('../b/index.ts', import.meta.url);\n";
    expect(mendPaths('src/modules/a/x.spec.ts', text, moves, exists)).toBe(
      "import { y } from '../x-y.js';\nimport './x.js';\nconst a = new URL('../../b/index.ts', import.meta.url);\n",
    );
    expect(mendPaths('src/modules/b/index.ts', "export * from '../a/x.js';\nconst b = './';\n", moves, exists)).toBe(
      "export * from '../a/room/x.js';\nconst b = './';\n",
    );
  });

  it('and values made of dots are no paths, unless they lead somewhere', () => {
    const text = "const [sent, here] = ['./', new URL('./', import.meta.url)];\n";
    expect(mendPaths('src/modules/a/x.spec.ts', text, moves, () => true)).toBe(
      "const [sent, here] = ['./', new URL('../', import.meta.url)];\n",
    );
  });

  it('unless one is missing, or two would be one', () => {
    expect(() => readMoves('src/modules/a/z.ts src/modules/b/', files)).toThrow('there is no src/modules/a/z.ts');
    expect(() => readMoves('src/modules/a/x.ts src/modules/b/index.ts', files)).toThrow('src/modules/b/index.ts');
  });
});
