import { requirePositions, WorldsError } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';

const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';

// biome-ignore lint/suspicious/noControlCharactersInRegex: IRIREF excludes the range #x00-#x20
const ESCAPED_IN_IRI = /[\u0000-\u0020<>"{}|^`\\]/g;

/** Labels of blank nodes that are written as they are, among them all that this library issues. */
const PLAIN_LABEL = /^(?!x-)[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;

/** Returns a quad in N-Quads, with a point and a line break. Throws INVALID_RDF. */
export function quadLine(quad: RDF.Quad): string {
  requirePositions(quad);
  const { subject, predicate, object, graph } = quad;
  const end = graph.termType === 'DefaultGraph' ? '.' : `${termText(graph)} .`;
  return `${termText(subject)} ${termText(predicate)} ${termText(object)} ${end}\n`;
}

/**
 * Encodes a label that the syntax may not accept, with a prefix that plain labels do not have:
 * different labels stay different.
 */
function labelText(label: string): string {
  if (PLAIN_LABEL.test(label)) return label;
  const hex = [...new TextEncoder().encode(label)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `x-${hex}`;
}

function termText(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return iriText(term.value);
    case 'BlankNode':
      return `_:${labelText(term.value)}`;
    case 'Literal': {
      requireWellFormed(term.value);
      // JSON escapes are valid in STRING_LITERAL_QUOTE, but for the slash, which JSON.stringify
      // leaves alone (N-Quads grammar, ECHAR and UCHAR).
      const text = JSON.stringify(term.value);
      if (term.language) return `${text}@${term.language}${term.direction ? `--${term.direction}` : ''}`;
      return term.datatype.value === XSD_STRING ? text : `${text}^^${iriText(term.datatype.value)}`;
    }
    case 'Quad':
      return `<<( ${termText(term.subject)} ${termText(term.predicate)} ${termText(term.object)} )>>`;
    default:
      throw new WorldsError('INVALID_RDF', `A ${term.termType} cannot be a term of a quad.`);
  }
}

/** Escapes what would end the IRI: the server then refuses it as an invalid IRI. */
function iriText(value: string): string {
  requireWellFormed(value);
  return `<${value.replace(ESCAPED_IN_IRI, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}>`;
}

function requireWellFormed(text: string): void {
  if (!text.isWellFormed())
    throw new WorldsError('INVALID_RDF', 'A term contains a lone surrogate, which is not a Unicode character.');
}
