import { createRequire } from 'node:module';

/**
 * Apache Arrow as LanceDB itself loads it. The package has two copies of its classes, one for `import` and one for `require`;
 * LanceDB uses the second and does not take tables made of the first.
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow');
