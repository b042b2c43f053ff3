/** Code of the page that could not be fetched: the service was renewed while the page was open, or cannot be reached. */
export class MissingCode extends Error {}
