import 'reflect-metadata';
import { Injectable, Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { StartWatch } from './start-watch.js';

let release: () => void = () => undefined;
const held = (): Promise<void> =>
  new Promise((resolve) => {
    release = resolve;
  });

@Injectable()
class QuickService implements OnModuleInit {
  ready = false;
  onModuleInit(): void {
    this.ready = true;
  }
}

@Injectable()
class NotesService implements OnApplicationBootstrap {
  constructor(private readonly quick: QuickService) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.quick.ready) await held();
  }
}

@Module({ providers: [QuickService, NotesService] })
class NotesModule {}

describe('a start that something holds', () => {
  const told: { readonly for: readonly string[]; readonly event: string }[] = [];
  const warn = (facts: object, event: string): void => void told.push({ ...(facts as { for: string[] }), event });
  const watch = new StartWatch({ warn } as never, 10);
  afterEach(() => watch.end());

  it('names what it awaits, what began last first, and nothing that has come to its end', async () => {
    const options = { logger: false, instrument: { instanceDecorator: watch.follow } } as const;
    const starting = watch.during('the modules', () => NestFactory.createApplicationContext(NotesModule, options));
    const hook = 'NotesService.onApplicationBootstrap';
    const line = await until(() => told.find(({ for: what }) => what.includes(hook)), { what: 'the line' });
    expect(line).toMatchObject({ event: 'service.start_waits', for: [hook, 'the modules'] });
    release();
    const app = await starting;
    expect(app.get(NotesService)).toBeInstanceOf(NotesService);
    const before = told.length;
    await until(() => told.length > before, { what: 'the next line' });
    expect(told.at(-1)!.for).toEqual([]);
    await app.close();
  });
});
