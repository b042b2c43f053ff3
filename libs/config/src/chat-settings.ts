import { integer, type Setting } from './setting.js';

const MODELS = 'Models';

/** Settings of answers that are not those of a model. */
export const CHAT_SETTINGS = {
  chatFirstTokenSeconds: integer(
    'CHAT_FIRST_TOKEN_SECONDS',
    60,
    { min: 1, max: 600 },
    {
      section: MODELS,
      description:
        'How long a chat waits for the first word of the model, in seconds; then it is answered 503, also a streamed one.',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
