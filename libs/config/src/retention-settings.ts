import { integer, type Setting } from './setting.js';

const RETENTION = 'Retention';

/** Retention periods. */
export const RETENTION_SETTINGS = {
  requestsKeptDays: integer(
    'REQUESTS_KEPT_DAYS',
    30,
    { min: 1, max: 3650 },
    { section: RETENTION, description: 'Days after which requests are removed from the ledger of searches and chats.' },
  ),
  conversationsKeptDays: integer(
    'CONVERSATIONS_KEPT_DAYS',
    90,
    { min: 1, max: 3650 },
    {
      section: RETENTION,
      description:
        'Days after its last turn at which a conversation is removed. Refused and rated questions, which are shown to members who may write to the dataset, are kept for the same time.',
    },
  ),
  tasksKeptDays: integer(
    'TASKS_KEPT_DAYS',
    7,
    { min: 1, max: 3650 },
    { section: RETENTION, description: 'Days after which an ended background task is removed.' },
  ),
} as const satisfies Record<string, Setting<unknown>>;
