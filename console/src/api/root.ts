/** Where the service lives: scripts of the console are one folder below, whatever path a proxy gives it. */
export const ROOT = new URL(import.meta.env.DEV ? '/' : '..', import.meta.env.DEV ? location.href : import.meta.url);
/** Path of the console's pages, without a slash at its end. */
export const BASE_PATH = ROOT.pathname.replace(/\/$/, '');
