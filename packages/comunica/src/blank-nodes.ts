import { randomBytes } from 'node:crypto';
import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { type Expression, mapExpression, mapOperation, type Operation } from './algebra.ts';
import { mapNestedTerm, mapPattern } from './pattern-terms.ts';

/**
 * How Comunica names the blank node of a source, in results and as the IRI that it hands back to
 * the source.
 */
const SKOLEM_PREFIX = 'urn:comunica_skolem:source_';

/**
 * A blank node as Comunica's sources give it out: it finds its way back to its source by
 * `skolemized`.
 */
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
 * The blank nodes of one evaluation. Comunica gives the store's nodes other labels, and makes new
 * nodes with labels of a process-wide counter; results show the store's own labels, and unguessable
 * ones for what is new.
 */
export class BlankNodes {
  /**
   * The name of the source inside of Comunica; random, so that no IRI of a text or a world can pass
   * for a blank node.
   */
  readonly sourceId = randomBytes(12).toString('hex');
  private readonly storePrefix = `bc_${this.sourceId}_`;
  private readonly newPrefix = `n${randomBytes(12).toString('hex')}x`;
  private readonly made = new Map<string, RDF.BlankNode>();
  private count = 0;

  /** The label in the store of a blank node of a result; undefined for a new one. */
  private storeLabel({ value }: RDF.BlankNode): string | undefined {
    return value.startsWith(this.storePrefix) ? value.slice(this.storePrefix.length) : undefined;
  }

  /** A term of a result, with the labels that callers see. */
  outer = (term: RDF.Term): RDF.Term =>
    mapNestedTerm(term, (part) => {
      if (part.termType !== 'BlankNode') return part;
      const label = this.storeLabel(part);
      if (label !== undefined) return dataFactory.blankNode(label);
      let node = this.made.get(part.value);
      if (!node) this.made.set(part.value, (node = this.fresh()));
      return node;
    });

  /** A new blank node. */
  fresh(): RDF.BlankNode {
    return dataFactory.blankNode(`${this.newPrefix}${this.count++}`);
  }

  /** Whether a term is a blank node that this evaluation made. */
  isNew(term: RDF.Term): boolean {
    return term.termType === 'BlankNode' && term.value.startsWith(this.newPrefix);
  }

  /** A term of the store, or one that holds the store's blank nodes, in Comunica's form. */
  inner = (term: RDF.Term): RDF.Term =>
    mapNestedTerm(term, (part) =>
      part.termType === 'BlankNode'
        ? new ScopedBlankNode(
            `${this.storePrefix}${part.value}`,
            dataFactory.namedNode(`${SKOLEM_PREFIX}${this.sourceId}:${part.value}`),
          )
        : part,
    );

  /** The same for all terms of an operation: bindings put them there. Rows of VALUES hold none. */
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
