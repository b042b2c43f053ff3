/** What `knowledge-base-service/extension` holds for a parser in the limited child process. */
export { ParseError } from './parse-error.js';
