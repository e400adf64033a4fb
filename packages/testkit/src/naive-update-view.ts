import { type Changes, DEFAULT_GRAPH, type QuadColumns, type TermId, type UpdateView } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { distinct, NaiveDataset, type NaiveDatasetOptions, type NaiveQuad, type NaiveWorld } from './naive-dataset.ts';
import { NaiveTermSource } from './naive-term-source.ts';

function rows(columns: QuadColumns | undefined): NaiveQuad[] {
  return Array.from({ length: columns?.length ?? 0 }, (_, row) => [
    columns!.subject[row],
    columns!.predicate[row],
    columns!.object[row],
    columns!.graph[row],
  ]);
}

/**
 * The model of an {@link UpdateView}: the first world is the target, the others are read-only.
 * Blank nodes of the other worlds are inserted unchanged.
 */
export class NaiveUpdateView implements UpdateView {
  /** Every applied set of changes, oldest first. */
  readonly applied: Changes[] = [];
  readonly terms: NaiveTermSource;
  private readonly others: readonly NaiveWorld[];
  private world: NaiveWorld;

  constructor(
    worlds: readonly (readonly RDF.BaseQuad[])[],
    { terms = new NaiveTermSource(), emptyGraphs = [] }: NaiveDatasetOptions = {},
  ) {
    this.terms = terms;
    const [target = { quads: [], graphs: [] }, ...others] = worlds.map((quads, index): NaiveWorld => {
      const interned = quads.map(
        (quad): NaiveQuad => [
          terms.intern(quad.subject),
          terms.intern(quad.predicate),
          terms.intern(quad.object),
          terms.intern(quad.graph),
        ],
      );
      const graphs = new Set([
        ...(index === 0 ? emptyGraphs.map((graph) => terms.intern(graph)) : []),
        ...interned.map((quad) => quad[3]),
      ]);
      graphs.delete(DEFAULT_GRAPH);
      return { quads: distinct(interned), graphs: [...graphs] };
    });
    this.world = target;
    this.others = others;
  }

  get source(): NaiveDataset {
    return new NaiveDataset(this.terms, [this.world, ...this.others]);
  }

  get target(): NaiveDataset {
    return new NaiveDataset(this.terms, [this.world]);
  }

  get targetGraphs(): Uint32Array {
    return this.target.graphs;
  }

  /** Returns whether the target has a named graph, even an empty one. */
  hasTargetGraph(graph: TermId): boolean {
    return this.world.graphs.includes(graph);
  }

  /** Drops, deletes, creates and inserts, in this order. */
  async apply(changes: Changes): Promise<void> {
    this.applied.push(changes);
    const dropped = new Set(changes.droppedGraphs);
    const deleted = new Set(rows(changes.deleted).map((quad) => quad.join(' ')));
    const inserted = rows(changes.inserted);
    const kept = this.world.quads.filter((quad) => !dropped.has(quad[3]) && !deleted.has(quad.join(' ')));
    const graphs = new Set(this.world.graphs.filter((graph) => !dropped.has(graph)));
    for (const graph of changes.createdGraphs ?? []) graphs.add(graph);
    for (const quad of inserted) graphs.add(quad[3]);
    graphs.delete(DEFAULT_GRAPH);
    this.world = { quads: distinct([...kept, ...inserted]), graphs: [...graphs] };
  }
}
