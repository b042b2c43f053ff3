import { integer, type Setting } from './setting.js';

const EVENTS = 'Events';

/** Settings of domain events. */
export const EVENT_SETTINGS = {
  eventRetryHours: integer(
    'EVENT_RETRY_HOURS',
    24,
    { min: 1, max: 24 },
    {
      section: EVENTS,
      description:
        'Hours for which an event is tried again when a subscriber fails to process it, while later events of the same document or dataset wait; then it is parked.',
    },
  ),
  eventKeepDays: integer(
    'EVENT_KEEP_DAYS',
    30,
    { min: 1, max: 365 },
    {
      section: EVENTS,
      description:
        'Days after which parked events, and events for subscribers that no longer exist in any process, are removed.',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
