import { Injectable } from '@nestjs/common';
import { newId, Tasks, UnitOfWork, type ListQueryDto, type RequestContext } from 'knowledge-base-service/extension';
import { CountsRepository } from './counts.repository.js';
import type { CountPage, CreateNoteRequest, Note, NotePage, Recount, TodoPage } from './dto/notes.dto.js';
import { countWords, type NoteEntity } from './note.entity.js';
import { isId, isUniqueViolation, noteErrors } from './notes.errors.js';
import { NotesRepository } from './notes.repository.js';
import { RECOUNT } from './recount.task.js';
import { TodosRepository } from './todos.repository.js';

/** Notes, what is counted of documents, and recounts. */
@Injectable()
export class NotesService {
  constructor(
    private readonly notes: NotesRepository,
    private readonly counts: CountsRepository,
    private readonly todos: TodosRepository,
    private readonly tasks: Tasks,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(ctx: RequestContext, { skip, limit }: ListQueryDto): Promise<NotePage> {
    const [rows, total] = await this.notes.list(ctx, skip, limit);
    return { items: rows.map(toNote), total, skip, limit };
  }

  async get(ctx: RequestContext, id: string): Promise<Note> {
    const found = isId(id) ? await this.notes.find(ctx, id) : null;
    if (found === null) throw noteErrors.not_found({});
    return toNote(found);
  }

  async create(ctx: RequestContext, { title, body }: CreateNoteRequest): Promise<Note> {
    const id = newId();
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      try {
        await this.notes.insert(inner, { id, title, body, words: countWords(body) });
      } catch (error) {
        throw isUniqueViolation(error) ? noteErrors.title_taken({ title }, { cause: error }) : error;
      }
      return this.get(inner, id);
    });
  }

  async recount(ctx: RequestContext): Promise<Recount> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const id = await this.tasks.promise(inner, RECOUNT, {}, { subject: 'notes', once: true });
      return { id, status: 'pending', notes: 0 };
    });
  }

  async findRecount(ctx: RequestContext, id: string): Promise<Recount> {
    const task = isId(id) ? await this.tasks.find(ctx, id) : undefined;
    if (task?.kind !== RECOUNT.kind) throw noteErrors.recount_not_found({});
    const { notes } = task.progress;
    return { id, status: task.status, notes: typeof notes === 'number' ? notes : 0 };
  }

  async listCounts(ctx: RequestContext, { skip, limit }: ListQueryDto): Promise<CountPage> {
    return { items: await this.counts.list(ctx, skip, limit), total: await this.counts.total(ctx), skip, limit };
  }

  async listTodos(ctx: RequestContext, documentId: string, { skip, limit }: ListQueryDto): Promise<TodoPage> {
    if (!isId(documentId)) return { items: [], total: 0, skip, limit };
    const rows = await this.todos.list(ctx, documentId, skip, limit);
    const items = rows.map(({ text_start, body }) => ({ text_start: Number(text_start), body }));
    return { items, total: await this.todos.total(ctx, documentId), skip, limit };
  }
}

function toNote({ id, title, body, words, created_at }: NoteEntity): Note {
  return { id, title, body, words, created_at: created_at.toISOString() };
}
