/** What `console.json` of a build says. */
export interface ConsoleContents {
  /** The script that starts the console. */
  readonly script: string;
  readonly styles: readonly string[];
  /** Scripts that the first one imports. */
  readonly preload: readonly string[];
  /** All files that are served, by name. */
  readonly files: readonly string[];
}

/**
 * Policy of the page: scripts run by the answer's nonce alone and may load others, nothing is fetched but from the service, and no one frames it.
 * Images may be of memory too: originals are fetched with the credential and shown from there.
 */
export function consolePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

/** Leads from the page of a path to the root of the service, below which a proxy may have it: `./`, `../../`. */
export function rootOf(path: string): string {
  return '../'.repeat(Math.max(0, path.split('/').length - 2)) || './';
}

/** The page. `folder` leads from it to where the console's files are; names of a build hold nothing that would have to be escaped. */
export function consolePage(contents: ConsoleContents, folder: string, nonce: string): string {
  const styles = contents.styles.map((name) => `<link rel="stylesheet" href="${folder}${name}">`);
  const preload = contents.preload.map((name) => `<link rel="modulepreload" nonce="${nonce}" href="${folder}${name}">`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><meta name="referrer" content="same-origin">
<meta property="csp-nonce" nonce="${nonce}"><title>Knowledge base</title><link rel="icon" href="data:,">
${[...styles, ...preload].join('\n')}
<script type="module" nonce="${nonce}" src="${folder}${contents.script}"></script></head>
<body><div id="console"></div><noscript>The console needs JavaScript. The interface is described at <a href="${folder}../docs">/docs</a>.</noscript></body></html>
`;
}
