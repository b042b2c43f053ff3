import { defineErrors } from '#libs/common';

export const chatErrors = defineErrors('chat', {
  model_not_found: {
    status: 404,
    title: 'Model not found',
    detail: (f: { model: string; available: readonly string[] }) =>
      `There is no model "${f.model}". Leave \`model\` out or use one of: ${f.available.join(', ')}.`,
  },
  question_too_long: {
    status: 422,
    title: 'Question too long for the model',
    detail: (f: { tokens: number; limit: number }) =>
      `The last message has about ${f.tokens} tokens; with room for sources and an answer the model takes ${f.limit}. Shorten it.`,
  },
  stream_not_found: {
    status: 404,
    title: 'Stream cannot be resumed',
    detail: () =>
      'There is no stream of yours with this Last-Event-ID; streams can be resumed for 10 minutes. Send the request again without Last-Event-ID.',
  },
  stream_changed: {
    status: 409,
    title: 'Answer changed',
    detail: () =>
      'The answer was cut off when its reader left, and the model now answers differently. Send the request again without Last-Event-ID.',
  },
});
