/**
 * The database's time in the precision of its columns, for comparisons with them. Columns keep milliseconds and round to them, half of
 * all times up: what was written with `now()` is, compared with a bare `now()` within the same millisecond, not there yet, and is passed
 * over by anyone who looks for what is due. Rounded in the same way, a time that was written is never later than one that is read afterwards.
 */
export const SQL_NOW = 'now()::timestamptz(3)';
