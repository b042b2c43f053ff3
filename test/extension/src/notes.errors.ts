import { defineErrors } from 'knowledge-base-service/extension';

export const noteErrors = defineErrors('acme_notes', {
  not_found: { status: 404, title: 'Note not found', detail: () => 'There is no such note, or you may not see it.' },
  title_taken: {
    status: 409,
    title: 'Title taken',
    detail: ({ title }: { title: string }) => `There is a note named "${title}" already. Choose another title.`,
  },
  recount_not_found: {
    status: 404,
    title: 'Recount not found',
    detail: () => 'There is no such recount, or it ended so long ago that it was forgotten. Ask for a new one.',
  },
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const UNIQUE_VIOLATION = '23505';

/** Whether a text of a path can be an id: the database is asked for nothing else. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** Whether the database refused a row because there is one like it. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
