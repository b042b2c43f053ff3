import { defineErrors } from '#libs/common';

export const tableErrors = defineErrors('tables', {
  not_found: {
    status: 404,
    title: 'Table not found',
    detail: () => 'There is no such table in the dataset. GET /datasets/{id}/tables lists those there are.',
  },
});
