import { randomBytes } from 'node:crypto';
import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { type Expression, mapExpression, mapOperation, type Operation } from './algebra.ts';
import { mapNestedTerm, mapPattern } from './pattern-terms.ts';

/**
 * Comunica's prefix for blank nodes of a source, in results and in the IRIs that it passes back to
 * the source.
 */
const SKOLEM_PREFIX = 'urn:comunica_skolem:source_';

/** A blank node as Comunica's sources produce it; `skolemized` maps it back to its source. */
class ScopedBlankNode implements RDF.BlankNode {
  readonly termType = 'BlankNode' as const;
  readonly value: string;
  readonly skolemized: RDF.NamedNode;
  constructor(value: string, skolemized: RDF.NamedNode) {
    this.value = value;
    this.skolemized = skolemized;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === 'BlankNode' && other.value === this.value;
  }
}

/**
 * Maps the blank nodes of one evaluation. Comunica relabels the store's nodes and labels new nodes
 * with a process-wide counter; results use the store's own labels, and unguessable labels for new
 * nodes.
 */
export class BlankNodes {
  /**
   * The name of the source inside Comunica. Random, so that no IRI of a text or a world can pass
   * for a blank node.
   */
  readonly sourceId = randomBytes(12).toString('hex');
  private readonly storePrefix = `bc_${this.sourceId}_`;
  private readonly newPrefix = `n${randomBytes(12).toString('hex')}x`;
  private readonly made = new Map<string, RDF.BlankNode>();
  private count = 0;

  /** Returns the store's label of a blank node in a result; undefined for a new node. */
  private storeLabel({ value }: RDF.BlankNode): string | undefined {
    return value.startsWith(this.storePrefix) ? value.slice(this.storePrefix.length) : undefined;
  }

  /** Returns a term of a result with the labels that callers see. */
  outer = (term: RDF.Term): RDF.Term =>
    mapNestedTerm(term, (part) => {
      if (part.termType !== 'BlankNode') return part;
      const label = this.storeLabel(part);
      if (label !== undefined) return dataFactory.blankNode(label);
      let node = this.made.get(part.value);
      if (!node) this.made.set(part.value, (node = this.fresh()));
      return node;
    });

  /** Returns a new blank node. */
  fresh(): RDF.BlankNode {
    return dataFactory.blankNode(`${this.newPrefix}${this.count++}`);
  }

  /** Returns whether a term is a blank node created by this evaluation. */
  isNew(term: RDF.Term): boolean {
    return term.termType === 'BlankNode' && term.value.startsWith(this.newPrefix);
  }

  /**
   * Converts a term of the store, or one that contains the store's blank nodes, to Comunica's form.
   */
  inner = (term: RDF.Term): RDF.Term =>
    mapNestedTerm(term, (part) =>
      part.termType === 'BlankNode'
        ? new ScopedBlankNode(
            `${this.storePrefix}${part.value}`,
            dataFactory.namedNode(`${SKOLEM_PREFIX}${this.sourceId}:${part.value}`),
          )
        : part,
    );

  /**
   * Converts all terms of an operation, where bindings may have put blank nodes. Rows of VALUES
   * contain none.
   */
  innerOperation(operation: Operation): Operation {
    const map = (op: Operation): Operation => {
      switch (op.type) {
        case 'bgp':
          return { ...op, patterns: op.patterns.map((pattern) => mapPattern(pattern, this.inner)) };
        case 'path':
          return { ...op, subject: this.inner(op.subject), object: this.inner(op.object), graph: this.inner(op.graph) };
        case 'graph':
          return { ...op, name: this.inner(op.name), input: map(op.input) };
        default:
          return mapOperation(op, map, expression);
      }
    };
    const expression = (part: Expression): Expression =>
      part.subType === 'term' ? { ...part, term: this.inner(part.term) } : mapExpression(part, expression, map);
    return map(operation);
  }
}
