import { dataFactory, WorldsError } from '@rdf-worlds/core';
import { isAbsoluteIri } from '@rdf-worlds/core/internal';
import type * as RDF from '@rdfjs/types';
import type { Fact, Triple } from './fact.ts';
import { FACT_PROPERTIES, FACTS_GRAPH } from './memory-vocabulary.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const FACTS = namedNode(FACTS_GRAPH);

export type FactProperty = keyof typeof FACT_PROPERTIES;

/** Returns the term of a fact's id. */
export function factTerm(id: string): RDF.NamedNode | RDF.BlankNode {
  return id.startsWith('_:') ? blankNode(id.slice(2)) : namedNode(id);
}

/** Returns the subject of a search hit, in which blank nodes have their labels alone. */
export function hitSubject(subject: string): RDF.NamedNode | RDF.BlankNode {
  return isAbsoluteIri(subject) ? namedNode(subject) : blankNode(subject);
}

export function dateTime(date: Date): RDF.Literal {
  return literal(date.toISOString(), namedNode(`${XSD}dateTime`));
}

/** Returns one quad of a fact's provenance. */
export function factQuad(id: string, property: FactProperty, object: RDF.Quad_Object): RDF.Quad {
  return quad(factTerm(id), namedNode(FACT_PROPERTIES[property]), object, FACTS);
}

/** Returns the triple as the object of `rdf:reifies`. */
export function tripleTerm({ subject, predicate, object }: Triple): RDF.Quad {
  return quad(subject, predicate, object) as RDF.Quad;
}

/** Returns the quads of a fact with an id, without the triple itself. Throws `INVALID_ARGUMENT`. */
export function factQuads(fact: Fact & { readonly id: string }): RDF.Quad[] {
  const { id } = fact;
  const quads = [
    factQuad(id, 'reifies', tripleTerm(fact)),
    factQuad(id, 'about', fact.subject),
    ...fact.sources.map((source) =>
      isAbsoluteIri(source)
        ? factQuad(id, 'derivedFrom', namedNode(source))
        : factQuad(id, 'source', literal(requireText(source, 'source'))),
    ),
  ];
  const times = ['recordedAt', 'retractedAt', 'validFrom', 'validUntil'] as const;
  for (const time of times) {
    const date = fact[time];
    if (date) quads.push(factQuad(id, time, dateTime(date)));
  }
  if (fact.confidence !== undefined)
    quads.push(factQuad(id, 'confidence', literal(decimalText(fact.confidence), namedNode(`${XSD}decimal`))));
  if (fact.reason !== undefined) quads.push(factQuad(id, 'reason', literal(requireText(fact.reason, 'reason'))));
  if (fact.revisionOf !== undefined) quads.push(factQuad(id, 'revisionOf', factTerm(fact.revisionOf)));
  return quads;
}

/** XSD 1.1 Datatypes 3.3.3: a decimal has no exponent. */
function decimalText(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

function requireText(text: string, field: string): string {
  if (text.isWellFormed()) return text;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: it contains a lone surrogate, which is not a Unicode character; remove it.`,
  );
}
