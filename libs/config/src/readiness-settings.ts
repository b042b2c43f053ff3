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
    'Comma-separated components whose failure makes the process unready. cache and object_storage may be left out where searches shall go on without them; database and vector_backend may not.',
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
    description: 'Comma-separated warm-ups that readiness waits for: retrieval.',
  }),
  readinessStore: oneOf('READINESS_STORE', ['writable', 'searchable'], 'writable', {
    section,
    description:
      'What readiness asks of the vector store. writable: a read-only store (a full disk, say) makes the service unready; searchable: it stays ready, searches go on and what is ingested waits.',
  }),
};
