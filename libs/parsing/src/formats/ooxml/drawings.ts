import { writeTable, type Flow } from '../../output/flow.js';
import type { FlowTable } from '../../output/table-builder.js';
import { readChart, readDiagram, type DiagramItem } from './drawing-text.js';
import type { OoxmlPackage, Relation } from './ooxml-package.js';

/** The text of a chart or a diagram. */
export interface Drawing {
  titles: readonly string[];
  rows: FlowTable;
  items: readonly DiagramItem[];
}

/** This many are read of one part; more are left out. */
const MAX_DRAWINGS = 500;

/** Reads the charts and diagrams that a part refers to, by the id of the relation. */
export async function readDrawings(
  parts: OoxmlPackage,
  relations: ReadonlyMap<string, Relation>,
): Promise<Map<string, Drawing>> {
  const drawings = new Map<string, Drawing>();
  for (const { id, type, target } of relations.values()) {
    if (target === undefined || drawings.size >= MAX_DRAWINGS) continue;
    if (type === 'chart') drawings.set(id, { ...(await readChart(parts, target)), items: [] });
    if (type === 'diagramData') drawings.set(id, { titles: [], rows: [], items: await readDiagram(parts, target) });
  }
  return drawings;
}

/** Writes a drawing's text: titles as captions, values as a table, shapes as a list. */
export function writeDrawing(flow: Flow, { titles, rows, items }: Drawing): void {
  for (const title of titles) flow.paragraph({ kind: 'caption' }, title);
  writeTable(flow, rows);
  for (const { text, level } of items) flow.paragraph({ kind: 'list_item', level }, text, '- ');
}
