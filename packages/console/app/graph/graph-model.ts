/** What a node stands for. */
export type NodeKind = 'iri' | 'blank' | 'literal';

export interface GraphNode {
  /** Unique in its graph: the IRI, `_:label`, or the key of a literal. */
  readonly id: string;
  readonly label: string;
  readonly kind: NodeKind;
  /** Selects the colour. */
  readonly group: number;
}

export interface GraphEdge {
  readonly source: number;
  readonly target: number;
  readonly label: string;
}

/** A graph that grows: nodes and edges are added, never removed; views filter what they show. */
export class GraphModel {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  /** Number of edges at each node. */
  readonly degrees: number[] = [];
  /** For nodes with neighbours that the graph does not have: how many were asked for. */
  readonly unread = new Map<number, number>();
  private readonly indexes = new Map<string, number>();
  private readonly seen = new Set<string>();

  indexOf(id: string): number | undefined {
    return this.indexes.get(id);
  }

  /** Returns the index of a node, which is added if its id is new. */
  node(node: GraphNode): number {
    const known = this.indexes.get(node.id);
    if (known !== undefined) return known;
    const index = this.nodes.push(node) - 1;
    this.indexes.set(node.id, index);
    this.degrees.push(0);
    return index;
  }

  /**
   * Adds an edge. Returns false if there is one between the same nodes with the same `key`: what
   * the edge stands for, where labels are shorter.
   */
  edge(source: number, target: number, label: string, key = label): boolean {
    const id = `${source} ${target} ${key}`;
    if (this.seen.has(id)) return false;
    this.seen.add(id);
    this.edges.push({ source, target, label });
    this.degrees[source]!++;
    this.degrees[target]!++;
    return true;
  }
}
