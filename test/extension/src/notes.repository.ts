import { Injectable } from '@nestjs/common';
import { TenantRepository, UnitOfWork, type RequestContext } from 'knowledge-base-service/extension';
import { MoreThan } from 'typeorm';
import { NoteEntity } from './note.entity.js';

export type NewNote = Pick<NoteEntity, 'id' | 'title' | 'body' | 'words'>;

/** The notes of a tenant. */
@Injectable()
export class NotesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** A page of notes, the newest first, and how many there are. */
  list(ctx: RequestContext, skip: number, take: number): Promise<[NoteEntity[], number]> {
    return this.withRepository(ctx, NoteEntity, (rows) =>
      rows.findAndCount({ order: { created_at: 'DESC', id: 'DESC' }, skip, take }),
    );
  }

  /** The note with this id, or null. */
  find(ctx: RequestContext, id: string): Promise<NoteEntity | null> {
    return this.withRepository(ctx, NoteEntity, (rows) => rows.findOneBy({ id }));
  }

  /** Notes behind the one with this id, in the order of their ids. */
  listAfter(ctx: RequestContext, after: string | null, take: number): Promise<NoteEntity[]> {
    const where = after === null ? {} : { id: MoreThan(after) };
    return this.withRepository(ctx, NoteEntity, (rows) => rows.find({ where, order: { id: 'ASC' }, take }));
  }

  count(ctx: RequestContext): Promise<number> {
    return this.withRepository(ctx, NoteEntity, (rows) => rows.count());
  }

  async insert(ctx: RequestContext, note: NewNote): Promise<void> {
    await this.withRepository(ctx, NoteEntity, (rows) => rows.insert({ ...note, tenant_id: ctx.tenantId }));
  }

  async setWords(ctx: RequestContext, id: string, words: number): Promise<void> {
    await this.withRepository(ctx, NoteEntity, (rows) => rows.update({ id }, { words }));
  }
}
