import { defineErrors } from '#libs/common';

export const tableErrors = defineErrors('tables', {
  not_found: {
    status: 404,
    title: 'Table not found',
    detail: () => 'The dataset has no such table. GET /datasets/{id}/tables lists its tables.',
  },
  chat_model_needed: {
    status: 422,
    title: 'A chat model is needed',
    detail: () =>
      'The method "model" needs a chat model that writes text of its own, and the installation has none (CHAT_PROVIDER). Ask with "rules" or "auto".',
  },
});
