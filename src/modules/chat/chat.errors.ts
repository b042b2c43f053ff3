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
      `The last message has about ${f.tokens} tokens; beside sources and an answer the model takes ${f.limit}. Shorten the message.`,
  },
  fragments_too_long: {
    status: 422,
    title: 'Fragments too long for the model',
    detail: (f: { room: number }) =>
      `None of the fragments found fits into the ${f.room} tokens that the model has left for sources. Shorten the conversation, lower max_tokens or make smaller chunks.`,
  },
  stream_not_found: {
    status: 404,
    title: 'Stream cannot be resumed',
    detail: () =>
      'You have no stream with this Last-Event-ID; a stream can be resumed for 10 minutes. Send the request again without Last-Event-ID.',
  },
  stream_stopped: {
    status: 409,
    title: 'Stream stopped',
    detail: () =>
      'The answer was stopped because its reader disconnected, and is not continued. Send the request again without Last-Event-ID. With stream_options.resumable an answer is continued for 30 seconds after its reader disconnects.',
  },
  answer_not_json: {
    status: 503,
    title: 'Answer is not JSON',
    detail: () => 'The chat model was asked for JSON and wrote something else. Try again.',
  },
  first_token_late: {
    status: 503,
    title: 'Model did not begin in time',
    detail: (f: { seconds: number }) =>
      `The chat model did not begin to answer within ${f.seconds} seconds (CHAT_FIRST_TOKEN_SECONDS). Try again later.`,
  },
});
