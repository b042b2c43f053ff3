import { describe, expect, it } from 'vitest';
import { finish, type ChunkId, type DatasetId, type DocumentId } from '#libs/common';
import { graphCsv, graphMl } from './graph-export.js';
import { measureGraph } from './graph-metrics.js';
import { selectPart } from './graph-view.js';
import { buildGraph, type MentionRow } from './knowledge-graph.js';

const DATASET = 'd1' as DatasetId;

function mention(label: string, sentence: number): MentionRow {
  return {
    document_id: 'doc' as DocumentId,
    entity_key: label.toLowerCase(),
    label,
    form: label,
    entity_type: 'organisation',
    chunk_id: 'chunk' as ChunkId,
    char_start: String(sentence),
    char_end: String(sentence + label.length),
    sentence_start: String(sentence),
  };
}

async function partOf(labels: readonly string[]) {
  const mentions = labels.map((label) => mention(label, 0));
  const graph = finish(buildGraph(DATASET, mentions, []));
  return finish(selectPart(graph, await measureGraph(graph), { depth: 1, limit: 100 }));
}

describe('an export', () => {
  it('lets no name become markup', async () => {
    const xml = graphMl(await partOf(['<b>&"]]>', 'Bell\u0007 Ltd']));
    expect(xml).toContain('<data key="label">&lt;b&gt;&amp;"]]&gt;</data>');
    expect(xml).toContain('<data key="label">Bell Ltd</data>');
  });

  it.each(['=1+1', '+1', '-1', '@sum', '\tx'])('lets no name become a formula: %j', async (name) => {
    const rows = graphCsv(await partOf([name, 'Harbour'])).split('\r\n');
    expect(rows.slice(1).some((row) => row.includes(`,'${name},`))).toBe(true);
    expect(rows.some((row) => row.includes(`,${name},`))).toBe(false);
  });

  it('puts what would end a cell into quotation marks', async () => {
    expect(graphCsv(await partOf(['A "B", C']))).toContain(',"A ""B"", C",');
  });
});

describe('a graph', () => {
  it('gives the same numbers whatever order its evidence comes in', async () => {
    const rows = ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((label, n) => [mention(label, n % 3), mention(label, n + 10)]);
    const told = async (mentions: readonly MentionRow[]) => {
      const graph = finish(buildGraph(DATASET, mentions, []));
      const { nodes, edges } = finish(selectPart(graph, await measureGraph(graph), { depth: 1, limit: 100 }));
      return { nodes: nodes.map((node) => ({ ...node, evidence: node.evidence.length })), edges: edges.length };
    };
    expect(await told(rows.toReversed())).toEqual(await told(rows));
  });

  it('joins an acronym with the long form that one document gives, and with none when two give different ones', () => {
    const long = { ...mention('Coastal Survey Trust', 0), form: 'CST' };
    const short = mention('CST', 5);
    const one = finish(buildGraph(DATASET, [long, mention('Coastal Survey Trust', 3), short], []));
    expect([...one.nodes.values()].map(({ label }) => label)).toEqual(['Coastal Survey Trust']);
    const other = { ...mention('Central Stone Trade', 7), form: 'CST' };
    const two = finish(buildGraph(DATASET, [long, other, short], []));
    expect([...two.nodes.values()].map(({ label }) => label).toSorted()).toEqual([
      'CST',
      'Central Stone Trade',
      'Coastal Survey Trust',
    ]);
  });
});
