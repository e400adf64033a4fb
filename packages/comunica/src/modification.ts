import { dataFactory } from '@rdf-worlds/core';
import { NO_TERM, type QuadSource, type TermId, type TermSource, type UpdateView } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { Operation } from './algebra.ts';
import { datasetOf } from './dataset.ts';
import { Evaluation, type EvaluationSetting } from './evaluation.ts';
import { QuadList } from './quad-list.ts';
import type { Substitution } from './substitution.ts';
import { type Filling, Template } from './template.ts';
import type { DatasetClause, TranslatedOperation } from './translation.ts';

export type Modification = Extract<TranslatedOperation, { kind: 'modify' }>;

/** A prepared INSERT DATA, DELETE DATA, DELETE WHERE or DELETE/INSERT. */
export class PreparedModification {
  private readonly operation: Modification;
  private readonly where: Operation | undefined;
  private readonly deleted: Template;
  private readonly inserted: Template;

  /** `where` is the operation's own WHERE after substitution. */
  constructor(operation: Modification, where: Operation | undefined, substitution: Substitution) {
    this.operation = operation;
    this.where = where;
    this.deleted = new Template(operation.deleted, substitution.term);
    this.inserted = new Template(operation.inserted, substitution.term);
  }

  /**
   * Evaluates WHERE once over the state before, then applies all deletes and inserts together
   * (SPARQL 1.1 Update section 3.1.3). `override` are the protocol's graphs.
   */
  async execute(
    view: UpdateView,
    setting: Omit<EvaluationSetting, 'source'>,
    override: DatasetClause | undefined,
  ): Promise<void> {
    await view.prepareSource?.();
    const { terms } = view.source;
    const changes = { deleted: new QuadList(), inserted: new QuadList() };
    const source = this.dataset(view.source, override);
    const evaluation = new Evaluation({ ...setting, source });
    try {
      const { blankNodes, pacer } = evaluation;
      const made = new Map<string, TermId>();
      const fill = (solution: Filling) => {
        for (const quad of this.deleted.fill(solution)) addFound(changes.deleted, quad, terms);
        for (const quad of this.inserted.fill(solution)) addInterned(changes.inserted, quad, terms, made);
      };
      const fresh = () => {
        // A template's blank nodes are new for every solution (section 3.1.3.2), one per label
        // within it.
        const nodes = new Map<string, RDF.Term>();
        return (label: string) => {
          let node = nodes.get(label);
          if (!node) nodes.set(label, (node = blankNodes.fresh()));
          if (!made.has(node.value)) made.set(node.value, terms.blankNode());
          return node;
        };
      };
      if (!this.where) {
        fill({ variable: () => undefined, blankNode: fresh() });
      } else {
        for await (const solutions of evaluation.solutions(this.where)) {
          for (const solution of solutions) {
            const variable = (name: string) => {
              const term = solution.get(name);
              if (!term) return undefined;
              const outer = blankNodes.outer(term);
              // A node made by BNODE() is new to the store, and the same node wherever the request
              // uses it.
              if (blankNodes.isNew(outer) && !made.has(outer.value)) made.set(outer.value, terms.blankNode());
              return outer;
            };
            fill({ variable, blankNode: fresh() });
            await pacer.breathe();
          }
        }
      }
    } finally {
      evaluation.close();
    }
    if (changes.deleted.length > 0 || changes.inserted.length > 0) await view.apply(changes);
  }

  /**
   * WITH is the default graph of WHERE, unless overridden by USING or the protocol (section 3.1.3).
   */
  private dataset(source: QuadSource, override: DatasetClause | undefined): QuadSource {
    const { dataset, withGraph } = this.operation;
    if (override || dataset || !withGraph) return datasetOf(source, dataset, override);
    const graph = source.terms.intern(dataFactory.namedNode(withGraph.value));
    return source.dataset([graph], [...source.graphs]);
  }
}

/**
 * Adds a quad to delete. Skips quads with a term unknown to the dictionary: they cannot be present.
 */
function addFound(into: QuadList, quad: RDF.Quad, terms: TermSource): void {
  const subject = terms.find(quad.subject);
  const predicate = terms.find(quad.predicate);
  const object = terms.find(quad.object);
  const graph = terms.find(quad.graph);
  if (subject === NO_TERM || predicate === NO_TERM || object === NO_TERM || graph === NO_TERM) return;
  into.add(subject, predicate, object, graph);
}

function addInterned(into: QuadList, quad: RDF.Quad, terms: TermSource, made: ReadonlyMap<string, TermId>): void {
  const rename = (term: RDF.Term): RDF.Term => {
    const id = term.termType === 'BlankNode' ? made.get(term.value) : undefined;
    if (id !== undefined) return terms.term(id);
    if (term.termType !== 'Quad') return term;
    return dataFactory.quad(
      rename(term.subject) as RDF.Quad_Subject,
      rename(term.predicate) as RDF.Quad_Predicate,
      rename(term.object) as RDF.Quad_Object,
    );
  };
  const intern = (term: RDF.Term): TermId =>
    (term.termType === 'BlankNode' ? made.get(term.value) : undefined) ?? terms.intern(rename(term));
  into.add(intern(quad.subject), intern(quad.predicate), intern(quad.object), intern(quad.graph));
}
