/** Comparisons where no word of a language fits every type of a column. */
export const SIGNS = { '=': '=', '<>': '≠', '>': '>', '>=': '≥', '<': '<', '<=': '≤' } as const;
