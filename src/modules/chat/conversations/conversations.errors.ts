import { defineErrors } from '#libs/common';

export const conversationErrors = defineErrors('conversations', {
  not_found: {
    status: 404,
    title: 'Conversation not found',
    detail: () =>
      'You have no conversation with this id. An account has its own conversations, an API key those that it created; a conversation is removed when it is not continued for long.',
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
      'This answer is currently withheld from you, so you cannot share it. `withheld` of its turn says why.',
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
      'There is no shared answer with this id that you may see: it may have been revoked, or rest on a document that you do not see.',
  },
  too_many: {
    status: 409,
    title: 'Too many conversations',
    detail: (f: { limit: number }) => `You have ${f.limit} conversations, which is the maximum. Delete some of them.`,
  },
});
