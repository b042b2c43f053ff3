import { defineTask, TaskFailed, TaskHandler, withoutPayload, type JsonObject, type RunningTask } from 'knowledge-base-service/extension';
import { countWords } from './note.entity.js';
import { NotesRepository } from './notes.repository.js';

const PAGE = 20;

/** Counts the words of all notes of the tenant again; for someone who may write documents, then and when it runs. */
export const RECOUNT = defineTask({ kind: 'acme_notes_recount', permission: 'documents:write', parse: withoutPayload });

@TaskHandler(RECOUNT)
export class RecountHandler implements TaskHandler<Readonly<Record<string, never>>> {
  constructor(private readonly notes: NotesRepository) {}

  async run(task: RunningTask<Readonly<Record<string, never>>>): Promise<JsonObject> {
    const { ctx, progress, signal } = task;
    if (ctx.principal.kind === 'system') throw new TaskFailed('acme_notes.nobody_asked', 'A recount is done for somebody.');
    const total = await this.notes.count(ctx);
    let after = typeof progress['after'] === 'string' ? progress['after'] : null;
    let done = typeof progress['notes'] === 'number' ? progress['notes'] : 0;
    for (;;) {
      signal.throwIfAborted();
      const page = await this.notes.listAfter(ctx, after, PAGE);
      for (const { id, body } of page) await this.notes.setWords(ctx, id, countWords(body));
      done += page.length;
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE || after === null) return { notes: done, total, by: ctx.principal.kind };
      await task.report({ after, notes: done, total });
    }
  }
}
