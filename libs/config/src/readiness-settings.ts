import { list, oneOf, type Setting } from './setting.js';

const section = 'Service';

/** What readiness asks when nothing else is said. */
const READINESS_COMPONENTS = ['database', 'vector_backend', 'cache', 'object_storage'] as const;
export type ReadinessComponent = (typeof READINESS_COMPONENTS)[number];
/** Without these no request can be served. */
const ALWAYS_REQUIRED: readonly ReadinessComponent[] = ['database', 'vector_backend'];

const requires: Setting<readonly ReadinessComponent[]> = {
  name: 'READINESS_REQUIRES',
  section,
  fallback: READINESS_COMPONENTS,
  description:
    'Comma-separated components whose failure makes the process unready. database and vector_backend must be included; without cache or object_storage in the list the process stays ready, and searches continue, while that component fails.',
  parse: (text) => {
    const named = text.split(',').map((part) => part.trim());
    const known = READINESS_COMPONENTS.filter((component) => named.includes(component));
    const isComplete = ALWAYS_REQUIRED.every((component) => known.includes(component));
    if (known.length < new Set(named).size || !isComplete) {
      throw new Error(
        `must name database and vector_backend, and may name cache and object_storage, separated by commas`,
      );
    }
    return known;
  },
};

/** When the process says that it is ready. */
export const READINESS_SETTINGS = {
  readinessRequires: requires,
  readinessWarmups: list('READINESS_WARMUPS', {
    section,
    description: 'Comma-separated warm-ups that readiness waits for; the only one is retrieval.',
  }),
  readinessStore: oneOf('READINESS_STORE', ['writable', 'searchable'], 'writable', {
    section,
    description:
      'State of the vector store that readiness requires. writable: a read-only store, for example one with a full disk, makes the service unready. searchable: the service stays ready, searches continue and ingestion waits.',
  }),
};
