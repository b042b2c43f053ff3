import { defineErrors } from '#libs/common';

export const evaluationErrors = defineErrors('evaluations', {
  case_set_not_found: {
    status: 404,
    title: 'Case set not found',
    detail: () => 'There is no such case set, or not in this version, or you do not see all of its datasets.',
  },
  job_not_found: {
    status: 404,
    title: 'Evaluation not found',
    detail: () => 'There is no such evaluation, or you do not see all of its datasets.',
  },
  generation_running: {
    status: 409,
    title: 'Cases are still being generated',
    detail: () =>
      'The cases of this set are still being generated. Change them once the generation is completed or has failed.',
  },
  chat_model_needed: {
    status: 422,
    title: 'A chat model is needed',
    detail: (f: { what: string }) =>
      `${f.what} needs a chat model that writes text of its own, and the installation has none (CHAT_PROVIDER).`,
  },
  chat_model_gone: {
    status: 409,
    title: 'Chat model is gone',
    detail: (f: { model: string }) =>
      `The chat model "${f.model}" that was chosen at the start is no longer installed. Start again with the models of today.`,
  },
  nothing_to_ask: {
    status: 422,
    title: 'No case could be made',
    detail: () =>
      'No sentence of the dataset could be turned into a question: the dataset has no visible text, or none in a language that the rules know.',
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
