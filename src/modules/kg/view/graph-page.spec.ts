import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { finish, type ChunkId, type DatasetId, type DocumentId } from '#libs/common';
import { measureGraph } from '../reading/graph-metrics.js';
import { placeNodes } from '../reading/graph-layout.js';
import { selectPart } from '../reading/graph-view.js';
import { buildGraph, type MentionRow, type Place } from '../reading/knowledge-graph.js';
import { drawingOf, quoteOf, quotedPlaces, type Quote } from './drawing.js';
import { graphPage, SERVED_POLICY } from './graph-page.js';

const EVIL = '</script><img src=x onerror=alert(1)><!--<script>';
const DATASET = 'd1' as DatasetId;
const CHUNK = 'chunk' as ChunkId;

function mention(label: string, sentence: number): MentionRow {
  return {
    document_id: 'doc' as DocumentId,
    entity_key: label.toLowerCase(),
    label,
    form: label,
    entity_type: 'organisation',
    chunk_id: CHUNK,
    char_start: String(sentence),
    char_end: String(sentence + label.length),
    sentence_start: String(sentence),
  };
}

async function partOf(labels: readonly string[], perSentence = 3) {
  const rows = labels.map((label, n) => mention(label, 10 * Math.floor(n / perSentence)));
  const graph = finish(buildGraph(DATASET, rows, []));
  const part = finish(selectPart(graph, await measureGraph(graph), { depth: 1, limit: 2_000 }));
  return { ...part, of: part, id: 'g1', datasetId: DATASET, truncated: false };
}

async function pageOf(labels: readonly string[]): Promise<string> {
  const part = await partOf(labels);
  const quotes = new Map<Place, Quote>();
  for (const place of quotedPlaces(part)) quotes.set(place, { before: EVIL, named: EVIL, after: EVIL });
  const known = { names: new Map([['doc' as DocumentId, EVIL]]), quotes };
  const pieces: Buffer[] = [];
  for await (const piece of graphPage(finish(drawingOf(part, EVIL, await placeNodes(part), known)))) pieces.push(piece);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
  return Buffer.concat(pieces).toString('utf8');
}

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `Harbour ${n} Ltd`);
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the page of a graph', () => {
  it('lets nothing that documents say become markup', async () => {
    const page = await pageOf([EVIL, 'Harbour Works']);
    expect(page.match(/<script[ >]/g)).toHaveLength(3);
    expect(page.match(/<\/script/g)).toHaveLength(3);
    expect(page).not.toContain('<img');
    const [, json] = /<script id="data" type="application\/json">([^<]*)<\/script>/.exec(page)!;
    const told = JSON.parse(json!) as { dataset: string; nodes: { label: string }[]; documents: string[][] };
    expect(told.dataset).toBe(EVIL);
    expect(told.nodes.map(({ label }) => label)).toContain(EVIL);
    expect(told.documents).toEqual([['doc', EVIL]]);
  });

  it('may run its own two scripts and show its own styles, and nothing else', async () => {
    const page = await pageOf(['Harbour Works']);
    const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => hashOf(text!));
    const styles = [...page.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map(([, text]) => hashOf(text!));
    const policy =
      `default-src 'none'; script-src ${scripts.join(' ')}; style-src ${styles.join(' ')}; img-src data:; ` +
      `base-uri 'none'; form-action 'none'`;
    expect(scripts).toHaveLength(2);
    expect(SERVED_POLICY).toBe(`${policy}; frame-ancestors 'none'; sandbox allow-scripts`);
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">`);
    // A page is read with its line ends made one; a hash would not fit any more.
    expect(page).not.toContain('\r');
    expect(page).toContain('The Cytoscape Consortium');
  });
});

describe('the layout', () => {
  it('gives the same positions each time, each node one of its own', async () => {
    const part = await partOf(names(120));
    const positions = await placeNodes(part);
    expect(await placeNodes(part)).toEqual(positions);
    expect(new Set(positions.map(({ x, y }) => `${x} ${y}`)).size).toBe(120);
    for (const { x, y } of positions) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
    }
  });

  it.each([0, 1, 2])('places %i nodes', async (count) => {
    const positions = await placeNodes(await partOf(names(count)));
    expect(positions.filter(({ x, y }) => Number.isInteger(x) && Number.isInteger(y))).toHaveLength(count);
  });

  it('lets others have their turn while it places 2,000 nodes', async () => {
    const part = await partOf(names(2_000), 12);
    expect(part.nodes).toHaveLength(2_000);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await placeNodes(part);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('a quote', () => {
  const place = { document_id: 'doc' as DocumentId, chunk_id: CHUNK, char_start: 104, char_end: 108 };

  it('is the text around the place', () => {
    const quote = quoteOf(place, { start: 100, text: 'The Pier is old.' });
    expect(quote).toEqual({ before: 'The ', named: 'Pier', after: ' is old.' });
  });

  it('is bounded', () => {
    const text = `${'a'.repeat(4_000)}${'b'.repeat(4_000)}${'c'.repeat(4_000)}`;
    const quote = quoteOf({ ...place, char_start: 4_000, char_end: 8_000 }, { start: 0, text })!;
    expect(quote.named.length).toBe(100);
    expect((quote.before + quote.named + quote.after).length).toBeLessThanOrEqual(280);
  });

  it('is none where the chunk does not hold the place', () => {
    expect(quoteOf(place, { start: 105, text: 'Pier' })).toBeUndefined();
    expect(quoteOf(place, { start: 100, text: 'The Pi' })).toBeUndefined();
  });
});
