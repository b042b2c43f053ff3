import { defineErrors } from '#libs/common';

export const tableErrors = defineErrors('tables', {
  not_found: {
    status: 404,
    title: 'Table not found',
    detail: () => 'There is no such table in the dataset. GET /datasets/{id}/tables lists those there are.',
  },
  chat_model_needed: {
    status: 422,
    title: 'A chat model is needed',
    detail: () =>
      'The method "model" needs a chat model that writes text of its own, and the installation has none (CHAT_PROVIDER). Ask with "rules" or "auto".',
  },
});
