import { integer, type Setting } from './setting.js';

const SERVICE = 'Service';

/** How the service stops. Together they stay below the time after which an orchestrator kills, usually 30 seconds. */
export const SHUTDOWN_SETTINGS = {
  shutdownDelaySeconds: integer(
    'SHUTDOWN_DELAY_SECONDS',
    0,
    { min: 0, max: 3600 },
    {
      section: SERVICE,
      description:
        'Seconds for which a stopping process still serves requests while readiness answers 503, so that a load balancer can notice.',
    },
  ),
  shutdownDrainSeconds: integer(
    'SHUTDOWN_DRAIN_SECONDS',
    20,
    { min: 0, max: 3600 },
    {
      section: SERVICE,
      description:
        'Seconds after SHUTDOWN_DELAY_SECONDS in which requests under way can end, while no new connections are accepted. Longer streams end with an event that says whether to resume them or to ask again.',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
