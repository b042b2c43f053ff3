import { defineErrors } from '#libs/common';

export const conversationErrors = defineErrors('conversations', {
  not_found: {
    status: 404,
    title: 'Conversation not found',
    detail: () =>
      'You have no conversation with this id. An account finds its own, an API key those that it made itself; they are removed when nobody has gone on with them for long.',
  },
  full: {
    status: 409,
    title: 'Conversation is full',
    detail: (f: { limit: number }) => `A conversation has at most ${f.limit} turns. Begin another one.`,
  },
  too_many: {
    status: 409,
    title: 'Too many conversations',
    detail: (f: { limit: number }) => `You have ${f.limit} conversations, which is the most. Delete some of them.`,
  },
});
