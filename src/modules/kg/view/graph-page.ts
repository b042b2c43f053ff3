import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DRAWING_SCRIPT } from './page-drawing.js';
import { LISTS_SCRIPT } from './page-lists.js';
import { PAGE_STYLE } from './page-style.js';
import { jsonPieces, piecesInTurns, type TurnOptions } from '#libs/common';
import type { Drawing } from './drawing.js';

/** Cytoscape draws. It is part of the page, which loads nothing; its licence is at its beginning. */
const LIBRARY = readFileSync(createRequire(import.meta.url).resolve('cytoscape/dist/cytoscape.min.js'), 'utf8');
/** Bytes that are sent at once. */
const BYTES_SENT = 32_768;
const OWN_SCRIPT = `(() => {\n'use strict';\n${LISTS_SCRIPT}${DRAWING_SCRIPT}})();\n`;

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** What the page may do wherever it is opened: run these two scripts, show its styles and an empty icon, and nothing else. */
const PAGE_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(LIBRARY)} ${hashOf(OWN_SCRIPT)}`,
  `style-src ${hashOf(PAGE_STYLE)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
/** The same of the answer, which must not be framed and has no origin. */
export const SERVED_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'; sandbox allow-scripts`;

// Cytoscape adds a style element unless there is one of this id; the policy would refuse it.
const BEFORE_DATA = slicesOf(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,"><title>Knowledge graph</title><style id="__________cytoscape_stylesheet">${PAGE_STYLE}</style></head>
<body><header><h1>Knowledge graph <bdi id="dataset"></bdi></h1><p id="summary"></p></header>
<noscript><p>Scripts draw this page, and they are switched off here. <code>GET /kg/{id}/graph</code> has the same as data.</p></noscript>
<main><section id="entities" aria-labelledby="entities-title"><h2 id="entities-title">Entities</h2>
<label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false">
<fieldset><legend>Types</legend><div id="types"></div></fieldset>
<p id="shown" role="status"></p><ul id="list" aria-labelledby="entities-title"></ul></section>
<section id="details" aria-labelledby="name"><h2 id="name">Details</h2>
<div id="detail"><p>Choose an entity in the list or in the drawing. In the list, arrow keys go up and down, Enter chooses.</p></div></section>
<section id="picture" aria-labelledby="picture-title"><h2 id="picture-title">Drawing</h2>
<p class="tools"><button type="button" id="closer">Zoom in</button> <button type="button" id="further">Zoom out</button> <button type="button" id="whole">Show all</button></p>
<div id="drawing" class="__________cytoscape_container" role="img" aria-label="Drawing of the graph. The list of entities has the same content."></div></section></main>
<script id="data" type="application/json">`);
const AFTER_DATA = slicesOf(`</script>
<script>${LIBRARY}</script>
<script>${OWN_SCRIPT}</script>
</body></html>
`);

/**
 * The page, in pieces. Its markup is always the same: everything from documents is in one block of JSON, in which no tag can begin, and is put
 * into the page as text.
 */
export async function* graphPage(drawing: Drawing, turns?: TurnOptions): AsyncGenerator<Buffer> {
  yield* BEFORE_DATA;
  yield* piecesInTurns(withoutTags(jsonPieces(drawing)), turns);
  yield* AFTER_DATA;
}

function* withoutTags(pieces: Iterable<string>): Generator<string, void, void> {
  for (const piece of pieces) yield piece.replaceAll('<', '\\u003c');
}

/** In pieces that are quickly sent. */
function slicesOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  const count = Math.ceil(bytes.length / BYTES_SENT);
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * BYTES_SENT, (n + 1) * BYTES_SENT));
}
