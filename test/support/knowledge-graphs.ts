import { until } from '#testing/until';
import type { ApiClient } from './api-client.js';

export interface Place {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly char_start: number;
  readonly char_end: number;
}

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  readonly degree: number;
  readonly pagerank: number;
  readonly community: number;
  readonly evidence_count: number;
}

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly weight: number;
  readonly evidence_count: number;
  readonly evidence: readonly Place[];
}

export interface GraphPart {
  readonly id: string;
  readonly dataset_id: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly total: { readonly nodes: number; readonly edges: number };
}

export interface GraphState {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number | null } | null;
  readonly documents: { readonly extracted: number; readonly not_extracted: number };
}

/** Asks for an extraction and waits for its end; gives the graph's id. */
export async function buildGraph(client: ApiClient, dataset: string, more: object = {}): Promise<string> {
  const { id } = await client.post<{ id: string }>('/kg/trigger', { dataset_id: dataset, ...more });
  const isDone = async (): Promise<boolean> => (await client.get<GraphState>(`/kg/${id}`)).status === 'completed';
  await until(isDone, { what: 'the graph', withinMs: 60_000, everyMs: 50 });
  return id;
}

/** What a graph holds, in terms that are the same for another dataset with the same documents. */
export async function tellGraph(client: ApiClient, dataset: string): Promise<{ nodes: string[]; edges: string[] }> {
  const { nodes, edges } = await client.get<GraphPart>(`/kg/${dataset}/graph?limit=2000`);
  const labelOf = new Map(nodes.map(({ id, label }) => [id, label]));
  const told = edges.map(({ source, target, relation, weight, evidence_count: count }) => {
    const ends = [labelOf.get(source)!, labelOf.get(target)!];
    if (relation === 'related_to') ends.sort();
    return `${ends.join(` ${relation} `)} ${weight} ${count}`;
  });
  return {
    nodes: nodes
      .map(({ label, type, degree, evidence_count: count }) => `${label} ${type} ${degree} ${count}`)
      .toSorted(),
    edges: told.toSorted(),
  };
}

/** What a page that draws a graph holds. */
export interface DrawnGraph {
  readonly dataset: string;
  readonly total: { readonly nodes: number; readonly edges: number };
  readonly documents: readonly (readonly [string, string | null])[];
  readonly nodes: readonly (Pick<GraphNode, 'id' | 'label' | 'type' | 'degree'> & {
    readonly aliases: readonly string[];
    readonly places: readonly {
      readonly document: number;
      readonly start: number;
      readonly end: number;
      readonly before?: string;
      readonly named?: string;
      readonly after?: string;
    }[];
  })[];
  readonly edges: readonly (readonly [number, number, string, ...number[]])[];
}

export function drawnIn(page: string): DrawnGraph {
  const [, json] = /<script id="data" type="application\/json">([^<]*)<\/script>/.exec(page) ?? [];
  if (json === undefined) throw new Error(`The page holds no graph: ${page.slice(0, 500)}`);
  return JSON.parse(json) as DrawnGraph;
}
