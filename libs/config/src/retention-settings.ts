import { integer, type Setting } from './setting.js';

const RETENTION = 'Retention';

/** Retention periods. */
export const RETENTION_SETTINGS = {
  requestsKeptDays: integer(
    'REQUESTS_KEPT_DAYS',
    30,
    { min: 1, max: 3650 },
    { section: RETENTION, description: 'Days after which the ledger of searches and chats forgets a request.' },
  ),
  conversationsKeptDays: integer(
    'CONVERSATIONS_KEPT_DAYS',
    90,
    { min: 1, max: 3650 },
    {
      section: RETENTION,
      description:
        'Days after its last turn that a conversation is removed; refused and rated questions are kept equally long, for those who may write to the dataset.',
    },
  ),
  tasksKeptDays: integer(
    'TASKS_KEPT_DAYS',
    7,
    { min: 1, max: 3650 },
    { section: RETENTION, description: 'Days after which a background task that has ended is forgotten.' },
  ),
} as const satisfies Record<string, Setting<unknown>>;
