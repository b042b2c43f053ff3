/** The tables of a text, for what measures them without the service around. */
export { rowsOfSegments, type FoundTable } from '../catalogue/segment-tables.js';
