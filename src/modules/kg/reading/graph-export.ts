import type { GraphPart } from './graph-view.js';

const CONTROL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const FORMULA = /^[=+\-@\t\r]/u;
const QUOTED = /[",\r\n]/u;

/** GraphML 1.0 with the attributes of nodes and edges; edges have the direction of their relations. */
export function graphMl({ nodes, edges }: GraphPart): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...[
      ['label', 'node', 'string'],
      ['type', 'node', 'string'],
      ['degree', 'node', 'int'],
      ['pagerank', 'node', 'double'],
      ['community', 'node', 'int'],
      ['evidence_count', 'node', 'int'],
      ['relation', 'edge', 'string'],
      ['weight', 'edge', 'double'],
    ].map(([name, kind, type]) => `  <key id="${name}" for="${kind}" attr.name="${name}" attr.type="${type}"/>`),
    '  <graph edgedefault="directed">',
  ];
  for (const { id, label, type, degree, pagerank, community, evidence } of nodes) {
    const values = { label, type, degree, pagerank, community, evidence_count: evidence.length };
    lines.push(`    <node id="${id}">${dataOf(values)}</node>`);
  }
  for (const { source, target, relation, weight } of edges) {
    lines.push(`    <edge source="${source}" target="${target}">${dataOf({ relation, weight })}</edge>`);
  }
  return [...lines, '  </graph>', '</graphml>', ''].join('\n');
}

function dataOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([key, value]) => `<data key="${key}">${escaped(String(value))}</data>`)
    .join('');
}

function escaped(text: string): string {
  return text.replace(CONTROL, '').replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');
}

const HEADER =
  'kind,id,label,type,degree,pagerank,community,evidence_count,source,source_label,target,target_label,relation,weight';

/** A row for each node, then one for each edge (RFC 4180). */
export function graphCsv({ nodes, edges }: GraphPart): string {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const rows = [
    ...nodes.map((node) => {
      const { id, label, type, degree, pagerank, community, evidence } = node;
      return ['node', id, label, type, degree, pagerank, community, evidence.length, '', '', '', '', '', ''];
    }),
    ...edges.map(({ source, target, relation, weight, evidence }) => {
      const ends = [source, labels.get(source) ?? '', target, labels.get(target) ?? ''];
      return ['edge', '', '', '', '', '', '', evidence.length, ...ends, relation, weight];
    }),
  ];
  return [HEADER, ...rows.map((row) => row.map(cell).join(',')), ''].join('\r\n');
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
