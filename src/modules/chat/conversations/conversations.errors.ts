import { defineErrors } from '#libs/common';

export const conversationErrors = defineErrors('conversations', {
  not_found: {
    status: 404,
    title: 'Conversation not found',
    detail: () =>
      'You have no conversation with this id. An account finds its own, an API key those that it made itself; a conversation that is not continued for long is removed.',
  },
  full: {
    status: 409,
    title: 'Conversation is full',
    detail: (f: { limit: number }) => `A conversation has at most ${f.limit} turns. Begin another one.`,
  },
  turn_not_found: {
    status: 404,
    title: 'Turn not found',
    detail: () => 'This conversation of yours has no turn with this id.',
  },
  answer_withheld: {
    status: 409,
    title: 'Answer is withheld',
    detail: () =>
      'You do not see this answer yourself at the moment, so it cannot be shared. `withheld` of its turn says why.',
  },
  answer_not_shared: {
    status: 404,
    title: 'Answer is not shared',
    detail: () => 'There is no link to this answer.',
  },
  shared_answer_not_found: {
    status: 404,
    title: 'Shared answer not found',
    detail: () =>
      'There is no shared answer with this id that you may see: it may be revoked, or be made of a document that is not shown to you.',
  },
  too_many: {
    status: 409,
    title: 'Too many conversations',
    detail: (f: { limit: number }) => `You have ${f.limit} conversations, which is the most. Delete some of them.`,
  },
});
