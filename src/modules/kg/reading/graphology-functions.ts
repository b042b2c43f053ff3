import forceAtlas2Export from 'graphology-layout-forceatlas2';

/**
 * Positions of nodes by the forces between them (ForceAtlas2). The package is CommonJS whose exported value is the function itself, while its
 * types tell of a `default` member of it.
 */
export const forceAtlas2 = forceAtlas2Export as unknown as typeof forceAtlas2Export.default;
