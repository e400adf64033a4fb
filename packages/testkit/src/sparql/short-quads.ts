import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';

/** The namespace of the names in {@link shortTerm}; queries declare it as the empty prefix. */
export const EX = 'http://example.org/';
/** The prologue of the contract's queries. */
export const PREFIX = `PREFIX : <${EX}> `;

const INTEGER = dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#integer');

/** Parses a term in short notation: `_:b`, `"text"`, `12`, or a name in {@link EX}. */
export function shortTerm(text: string): RDF.NamedNode | RDF.BlankNode | RDF.Literal {
  if (text.startsWith('_:')) return dataFactory.blankNode(text.slice(2));
  if (text.startsWith('"')) return dataFactory.literal(text.slice(1, -1));
  if (/^\d+$/u.test(text)) return dataFactory.literal(text, INTEGER);
  return dataFactory.namedNode(EX + text);
}

/**
 * Parses quads in short notation, each `subject predicate object` and optionally a graph, separated
 * by single spaces.
 */
export function shortQuads(...lines: string[]): RDF.Quad[] {
  return lines.map((line) => {
    const [subject, predicate, object, graph] = line.split(' ').map(shortTerm);
    return dataFactory.quad(
      subject as RDF.Quad_Subject,
      predicate as RDF.Quad_Predicate,
      object,
      (graph as RDF.Quad_Graph | undefined) ?? dataFactory.defaultGraph(),
    );
  });
}
