import { partOf } from './swagger-parts.js';
import { findOperations, linkPages, openAtFirstField, resolveParts, showFilter, wordsOf } from './swagger-plugins.js';

/** Files of Swagger UI that the page needs; other files of its package are not served. */
export const PAGE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
/** Name of the script that starts it, beside them. */
export const START_SCRIPT = 'swagger-ui-init.js';

const OPTIONS = {
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  filter: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
};

/**
 * Swagger UI shows all fields that OAuth2 clients may have; those that this login does not need are hidden. On narrow screens the empty
 * column of links is hidden too, because it makes the page wider than a phone.
 */
const STYLE = `
html { box-sizing: border-box; overflow-y: scroll; }
*, *:before, *:after { box-sizing: inherit; }
body { margin: 0; background: #fafafa; }
.dark-mode body { background: #1c2022; }
.auth-container .scope-def, .auth-container .flow,
.auth-container .wrapper:has(> label[for="password_type"], > label[for^="client_"]) { display: none; }
@media (max-width: 640px) {
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .opblock-section-header { flex-wrap: wrap; }
}
`;

/** The page of Swagger UI. `folder` leads from it to where its files are. */
export function swaggerPage(folder: string, description: string): string {
  const [style, library, icon] = PAGE_FILES;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Knowledge-base service</title><link rel="icon" type="image/png" href="${folder}${icon}">
<link rel="stylesheet" href="${folder}${style}"><link rel="preload" as="fetch" crossorigin href="${description}">
<style>${STYLE}</style></head>
<body><div id="swagger-ui"></div><script src="${folder}${library}"></script><script src="${folder}${START_SCRIPT}"></script></body></html>
`;
}

/** The script that starts it. `description` leads from the script to the description. */
export function startScript(description: string): string {
  const plugins = [resolveParts, findOperations, showFilter, openAtFirstField, linkPages];
  return `'use strict';
(() => {
${[partOf, wordsOf, ...plugins].map(String).join('\n')}
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();
window.ui = SwaggerUIBundle({
  ...${JSON.stringify(OPTIONS)},
  url: new URL(${JSON.stringify(description)}, document.currentScript.src).href,
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, ${plugins.map(({ name }) => name).join(', ')}],
});
})();
`;
}
