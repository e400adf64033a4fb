import type * as RDF from '@rdfjs/types';
import type { PrefixTable } from './prefix-table.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
/** Datatypes that are written without quotes, if the lexical form is the usual one. */
const PLAIN: Readonly<Record<string, RegExp>> = {
  [`${XSD}integer`]: /^[+-]?\d+$/,
  [`${XSD}decimal`]: /^[+-]?\d*\.\d+$/,
  [`${XSD}double`]: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+$/,
  [`${XSD}boolean`]: /^(?:true|false)$/,
};

/** Writes terms as short as a model can read them, and remembers the prefixes that it used. */
export class TermText {
  private readonly prefixes: PrefixTable;
  private readonly maxTextLength: number;
  private readonly used = new Set<string>();

  constructor(prefixes: PrefixTable, { maxTextLength }: { readonly maxTextLength: number }) {
    this.prefixes = prefixes;
    this.maxTextLength = maxTextLength;
  }

  iri(iri: string): string {
    return this.prefixes.shorten(iri, (prefix) => this.used.add(prefix));
  }

  /** As in Turtle; long literals are cut, with the number of characters that are missing. */
  term(term: RDF.Term): string {
    switch (term.termType) {
      case 'NamedNode':
        return this.iri(term.value);
      case 'BlankNode':
        return `_:${term.value}`;
      case 'Literal':
        return this.literal(term);
      case 'Quad':
        return `<<( ${this.term(term.subject)} ${this.term(term.predicate)} ${this.term(term.object)} )>>`;
      default:
        return term.value;
    }
  }

  private literal({ value, language, direction, datatype }: RDF.Literal): string {
    if (Object.hasOwn(PLAIN, datatype.value) && PLAIN[datatype.value].test(value) && value.length <= this.maxTextLength)
      return value;
    const text = this.cut(value);
    if (language) return `${text}@${language}${direction ? `--${direction}` : ''}`;
    return datatype.value === `${XSD}string` ? text : `${text}^^${this.iri(datatype.value)}`;
  }

  /** Returns a text in quotes, cut to the limit. */
  cut(value: string): string {
    const { maxTextLength } = this;
    if (value.length <= maxTextLength) return JSON.stringify(value);
    // Never between the halves of a surrogate pair.
    const end = /[\uD800-\uDBFF]/.test(value[maxTextLength - 1]) ? maxTextLength - 1 : maxTextLength;
    return `${JSON.stringify(`${value.slice(0, end)}…`)}(+${value.length - end} characters)`;
  }

  /**
   * The prefixes of the terms so far, for those who write queries: prefix name to namespace IRI.
   */
  usedPrefixes(): Record<string, string> {
    return Object.fromEntries([...this.used].sort().map((prefix) => [prefix, this.prefixes.prefixes.get(prefix)!]));
  }
}
