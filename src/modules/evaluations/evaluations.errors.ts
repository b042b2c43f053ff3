import { defineErrors } from '#libs/common';

export const evaluationErrors = defineErrors('evaluations', {
  case_set_not_found: {
    status: 404,
    title: 'Case set not found',
    detail: () => 'There is no such case set or version of it, or you do not see all the datasets that it was made of.',
  },
  job_not_found: {
    status: 404,
    title: 'Evaluation not found',
    detail: () => 'There is no such evaluation, or you do not see all the datasets that it is about.',
  },
  not_cancellable: {
    status: 409,
    title: 'Evaluation has ended',
    detail: (f: { status: string }) =>
      `The evaluation is ${f.status}; only one that is pending or running can be cancelled.`,
  },
  not_completed: {
    status: 409,
    title: 'Evaluation not completed',
    detail: (f: { status: string }) =>
      `The evaluation is ${f.status}. A report needs one that is completed; follow it at /events.`,
  },
  search_refused: {
    status: 422,
    title: 'Search of an evaluation refused',
    detail: (f: { variant: string; reason: string }) =>
      `The searches of the variant "${f.variant}" are refused: ${f.reason} Start another evaluation with other options.`,
  },
});
