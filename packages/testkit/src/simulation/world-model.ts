import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';

/** A world as the model holds it. Immutable. */
export interface ModelWorld {
  /** Number of the operation that created it; differs for each world that has had the slug. */
  readonly identity: number;
  readonly label: string;
  /** Its quads, as lines of N-Quads. */
  readonly lines: ReadonlySet<string>;
  /** Its named graphs, including empty ones. */
  readonly graphs: ReadonlySet<string>;
  readonly revision: number;
}

/** The worlds of a namespace by slug, after one commit. Immutable. */
export type ModelState = ReadonlyMap<string, ModelWorld>;

export const NO_WORLDS: ModelState = new Map();

const INTEGER = 'http://www.w3.org/2001/XMLSchema#integer';

/** Returns a quad as a line of N-Quads. `object` is a text without quotes, or an integer. */
export function line(subject: string, predicate: string, object: string | number, graph?: string): string {
  const literal = typeof object === 'number' ? `"${object}"^^<${INTEGER}>` : `"${object}"`;
  return `<${subject}> <${predicate}> ${literal} ${graph ? `<${graph}> ` : ''}.`;
}

const LINE = /^<(\S+)> <(\S+)> "([^"]*)"(?:\^\^<\S+>)? (?:<(\S+)> )?\.$/;

/** The parts of a line that {@link line} has returned. */
export function partsOf(text: string): {
  subject: string;
  predicate: string;
  object: string;
  graph: string | undefined;
} {
  const [, subject, predicate, object, graph] = LINE.exec(text)!;
  return { subject, predicate, object, graph };
}

/** The named graphs of lines. */
export function graphsOf(lines: Iterable<string>): Set<string> {
  const graphs = new Set<string>();
  for (const text of lines) {
    const { graph } = partsOf(text);
    if (graph !== undefined) graphs.add(graph);
  }
  return graphs;
}

export const isInteger = (text: string): boolean => text.includes('^^');

/** Returns the line of an RDF/JS quad of the kinds that {@link line} writes. */
export function lineOf(quad: RDF.Quad): string {
  const { subject, predicate, object, graph } = quad;
  const isNumber = object.termType === 'Literal' && object.datatype.value === INTEGER;
  const value = isNumber ? Number(object.value) : object.value;
  return line(subject.value, predicate.value, value, graph.value === '' ? undefined : graph.value);
}

export function quadOf(text: string): RDF.Quad {
  const { namedNode, literal, defaultGraph, quad } = dataFactory;
  const { subject, predicate, object, graph } = partsOf(text);
  const value = isInteger(text) ? literal(object, namedNode(INTEGER)) : literal(object);
  return quad(namedNode(subject), namedNode(predicate), value, graph ? namedNode(graph) : defaultGraph());
}

/** The quads of a world as one text, in an order of their own. */
export function linesKey(lines: Iterable<string>): string {
  return [...lines].sort().join('\n');
}
