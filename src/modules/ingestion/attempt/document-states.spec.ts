import { expectTypeOf, it } from 'vitest';
import type { ChunkStage } from '../pipeline/chunk.stage.js';
import type { Chunked, Embedded, Parsed, Planned, Stored } from './document-states.js';
import type { EmbedStage } from '../pipeline/embed.stage.js';
import type { WriteStage } from '../pipeline/write.stage.js';

type Taken<Run extends (...parameters: never[]) => unknown> = Extract<
  Parameters<Run>[number],
  readonly unknown[]
>[number];

// `npm run check` is what can fail here: types are gone when this runs.
it('stages accept only documents that have passed the previous stage', () => {
  expectTypeOf<Planned>().not.toExtend<Taken<ChunkStage['run']>>();
  expectTypeOf<Parsed>().toExtend<Taken<ChunkStage['run']>>();
  expectTypeOf<Parsed>().not.toExtend<Taken<EmbedStage['run']>>();
  expectTypeOf<Chunked>().toExtend<Taken<EmbedStage['run']>>();
  expectTypeOf<Chunked>().not.toExtend<Taken<WriteStage['run']>>();
  expectTypeOf<Embedded>().toExtend<Taken<WriteStage['run']>>();
  expectTypeOf<Embedded>().not.toExtend<Stored>();
});
