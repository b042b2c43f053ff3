import louvainExport from 'graphology-communities-louvain';
import forceAtlas2Export from 'graphology-layout-forceatlas2';
import pagerankExport from 'graphology-metrics/centrality/pagerank.js';

// These packages are CommonJS whose exported value is the function itself, while their types tell of a `default` member of it.

/** PageRank of each node, by its id. */
export const pagerank = pagerankExport as unknown as typeof pagerankExport.default;
/** Number of each node's community by the Louvain method, by its id. */
export const louvain = louvainExport as unknown as typeof louvainExport.default;
/** Positions of nodes by the forces between them (ForceAtlas2). */
export const forceAtlas2 = forceAtlas2Export as unknown as typeof forceAtlas2Export.default;
