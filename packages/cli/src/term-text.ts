import type { SparqlValue } from '@rdf-worlds/core';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
/** Literals that Turtle writes without quotes (Turtle 2.5.2, 2.5.3). */
const BARE = new Map([
  [`${XSD}integer`, /^[+-]?\d+$/],
  [`${XSD}decimal`, /^[+-]?\d*\.\d+$/],
  [`${XSD}boolean`, /^(?:true|false)$/],
]);

/** A term as Turtle writes it, for people: a table shows what is an IRI and what is text. */
export function termText(term: SparqlValue): string {
  switch (term.type) {
    case 'uri':
      return `<${term.value}>`;
    case 'bnode':
      return `_:${term.value}`;
    case 'triple': {
      const { subject, predicate, object } = term.value;
      return `<<( ${termText(subject)} ${termText(predicate)} ${termText(object)} )>>`;
    }
    case 'literal': {
      const { value, datatype, 'xml:lang': language } = term;
      if (datatype !== undefined && BARE.get(datatype)?.test(value)) return value;
      const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`;
      if (language !== undefined) return `${quoted}@${language}`;
      if (datatype === undefined) return quoted;
      return `${quoted}^^${datatype.startsWith(XSD) ? `xsd:${datatype.slice(XSD.length)}` : `<${datatype}>`}`;
    }
  }
}
