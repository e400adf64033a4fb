import type { SparqlValue } from '@rdf-worlds/core';
import type { ShortNames } from './prefixes.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
/** Literals that Turtle writes without quotes (Turtle 2.5.2, 2.5.3). */
const BARE = new Map([
  [`${XSD}integer`, /^[+-]?\d+$/],
  [`${XSD}decimal`, /^[+-]?\d*\.\d+$/],
  [`${XSD}boolean`, /^(?:true|false)$/],
]);

/** Formats a term in Turtle notation for display, which distinguishes IRIs from text. */
export function termText(term: SparqlValue, names: ShortNames): string {
  switch (term.type) {
    case 'uri':
      return names.of(term.value);
    case 'bnode':
      return `_:${term.value}`;
    case 'triple': {
      const parts = [term.value.subject, term.value.predicate, term.value.object].map((part) => termText(part, names));
      return `<<( ${parts.join(' ')} )>>`;
    }
    case 'literal': {
      const { value, datatype, 'xml:lang': language, 'its:dir': direction } = term;
      if (datatype !== undefined && BARE.get(datatype)?.test(value)) return value;
      const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`;
      if (language !== undefined) return `${quoted}@${language}${direction === undefined ? '' : `--${direction}`}`;
      return datatype === undefined ? quoted : `${quoted}^^${names.of(datatype)}`;
    }
  }
}
