export { mendPaths, readMoves } from './move.mjs';
export * from './providers.mjs';
export * from './purity.mjs';
export * from './rules.mjs';
export { readSources, ROOT, sourceOf } from './sources.mjs';
export * from './values.mjs';
export { bannedWords, commentsOf, descriptionsOf, proseOf, undescribedFields } from './words.mjs';
