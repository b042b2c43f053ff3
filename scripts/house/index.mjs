export { mendPaths, readMoves } from './move.mjs';
export * from './providers.mjs';
export * from './rules.mjs';
export { readSources, ROOT, sourceOf } from './sources.mjs';
export { bannedWords, commentsOf, descriptionsOf, proseOf, undescribedFields } from './words.mjs';
