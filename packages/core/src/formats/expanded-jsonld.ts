import type * as RDF from '@rdfjs/types';
import { RDF_TYPE, RDF as RDF_VOCABULARY, XSD_BOOLEAN, XSD_DOUBLE, XSD_INTEGER } from '../model/vocabulary.ts';
import { canonicalJson } from './canonical-json.ts';
import type { DocumentTerms } from './document-terms.ts';
import { NEST, reveal, revealTag, revealValue } from './jsonld-disguise.ts';
import { mergeNests } from './merge-nests.ts';

/** A node, value or list object of expanded JSON-LD: keywords and absolute IRIs to their values. */
export type ExpandedObject = Readonly<Record<string, unknown>>;

const RDF_FIRST = `${RDF_VOCABULARY}first`;
const RDF_REST = `${RDF_VOCABULARY}rest`;
const RDF_NIL = `${RDF_VOCABULARY}nil`;
const RDF_JSON = `${RDF_VOCABULARY}JSON`;

/** How many nodes are read between two yields. */
const NODES_A_SLICE = 64;

interface PendingNode {
  readonly node: ExpandedObject;
  readonly subject: RDF.NamedNode | RDF.BlankNode;
  readonly graph: RDF.Quad_Graph;
}

export interface ExpandedJsonLdOptions {
  readonly terms: DocumentTerms;
  readonly add: (quad: RDF.Quad) => void;
  /** Throws INVALID_RDF. */
  readonly fail: (message: string) => never;
}

/**
 * Makes quads of expanded JSON-LD that went through expansion in disguise (JSON-LD 1.1 API section 8: Deserialize JSON-LD to RDF), straight from the tree: a set of quads
 * needs no node map. Where the algorithm drops what is malformed (relative and malformed IRIs, malformed language
 * tags) this fails, so that nothing is lost in silence. Strings keep their lexical form whatever their datatype.
 *
 * A kernel: yields now and then, for the slicer.
 */
export function* readExpandedJsonLd(
  document: readonly ExpandedObject[],
  { terms, add, fail }: ExpandedJsonLdOptions,
): Generator<void, void> {
  const type = terms.namedNode(RDF_TYPE);
  const first = terms.namedNode(RDF_FIRST);
  const rest = terms.namedNode(RDF_REST);
  const nil = terms.namedNode(RDF_NIL);
  const pending: PendingNode[] = [];

  const resource = (disguised: string, role: string): RDF.NamedNode | RDF.BlankNode => {
    const id = reveal(disguised);
    if (id.startsWith('_:')) return terms.blankNode(id.slice(2));
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(id))
      fail(
        `the ${role} "${id}" is a relative IRI, which JSON-LD would drop: give a base IRI, or define the term in the context`,
      );
    return terms.namedNode(id);
  };
  /**
   * Section 8.1.2, step 1.3.2.3: "if property is a blank node identifier and the produceGeneralizedRdf option is not true, continue with the
   * next property-values pair". Null for those.
   */
  const predicateOf = (property: string): RDF.NamedNode | null => {
    const term = resource(property, 'property');
    return term.termType === 'BlankNode' ? null : term;
  };
  /** The resource that a node object is about; its properties are read later. */
  const nodeTerm = (given: ExpandedObject, graph: RDF.Quad_Graph): RDF.NamedNode | RDF.BlankNode => {
    const node = NEST in given ? mergeNests(given, fail) : given;
    const id = node['@id'];
    const subject = typeof id === 'string' ? resource(id, '@id') : terms.blankNode();
    pending.push({ node, subject, graph });
    return subject;
  };
  const listTerm = (items: readonly ExpandedObject[], graph: RDF.Quad_Graph): RDF.Quad_Object => {
    let head: RDF.NamedNode | RDF.BlankNode = nil;
    for (let index = items.length - 1; index >= 0; index--) {
      const cell = terms.blankNode();
      add(terms.quad(cell, first, objectTerm(items[index], graph), graph));
      add(terms.quad(cell, rest, head, graph));
      head = cell;
    }
    return head;
  };
  const objectTerm = (item: ExpandedObject, graph: RDF.Quad_Graph): RDF.Quad_Object => {
    if ('@value' in item) return literal(item);
    if ('@list' in item) return listTerm(item['@list'] as ExpandedObject[], graph);
    return nodeTerm(item, graph);
  };
  /** The nodes in the value of a property that gives no triples: they are in the node map, with triples of their own (section 7.2.2). */
  const readNodes = (item: ExpandedObject, graph: RDF.Quad_Graph): void => {
    if ('@list' in item) for (const inner of item['@list'] as ExpandedObject[]) readNodes(inner, graph);
    else if (!('@value' in item)) nodeTerm(item, graph);
  };
  // Section 8.2.2
  const literal = (item: ExpandedObject): RDF.Literal => {
    const value = item['@value'];
    const datatype = item['@type'];
    if (datatype !== undefined && typeof datatype !== 'string')
      return fail('invalid typed value: the @type of a value object must be one IRI');
    if (datatype === '@json') return terms.literal(canonicalJson(revealValue(value)), terms.namedNode(RDF_JSON));
    const iri = datatype && reveal(datatype);
    if (typeof value === 'boolean') return terms.literal(String(value), terms.namedNode(iri ?? XSD_BOOLEAN));
    if (typeof value === 'number') {
      const isDouble = value % 1 !== 0 || Math.abs(value) >= 1e21 || datatype === XSD_DOUBLE;
      return isDouble
        ? terms.literal(canonicalDouble(value), terms.namedNode(iri ?? XSD_DOUBLE))
        : terms.literal(value.toFixed(0), terms.namedNode(iri ?? XSD_INTEGER));
    }
    if (typeof value !== 'string') return fail(`the @value ${JSON.stringify(value)} is no string, number or boolean`);
    const text = reveal(value);
    const language = item['@language'];
    // Without an rdfDirection the algorithm ignores @direction (section 8.2.2, step 13).
    if (typeof language === 'string') return terms.literal(text, revealTag(language));
    return iri === undefined ? terms.literal(text) : terms.literal(text, terms.namedNode(iri));
  };

  const defaultGraph = terms.defaultGraph();
  for (const node of document) nodeTerm(node, defaultGraph);

  for (let read = 1; pending.length > 0; read++) {
    const { node, subject, graph } = pending.pop()!;
    for (const [property, values] of Object.entries(node)) {
      switch (property) {
        case '@id':
        case '@index':
          break;
        case '@type':
          for (const iri of asArray<string | null>(values)) {
            // A type that has the form of a keyword expands to null (section 5.2.2, step 2).
            if (iri !== null) add(terms.quad(subject, type, resource(iri, '@type'), graph));
          }
          break;
        case '@graph':
          for (const inner of asArray<ExpandedObject>(values)) nodeTerm(inner, subject);
          break;
        case '@included':
          for (const inner of asArray<ExpandedObject>(values)) nodeTerm(inner, graph);
          break;
        case '@reverse':
          for (const [reverse, subjects] of Object.entries(values as ExpandedObject)) {
            const predicate = predicateOf(reverse);
            for (const inner of asArray<ExpandedObject>(subjects)) {
              const reversed = nodeTerm(inner, graph);
              if (predicate) add(terms.quad(reversed, predicate, subject, graph));
            }
          }
          break;
        default: {
          const predicate = predicateOf(property);
          for (const item of asArray<ExpandedObject>(values)) {
            // A reference that has the form of a keyword expands to null and is no reference (section 5.2.2, step 2).
            if (item['@id'] === null && Object.keys(item).length === 1) continue;
            if (predicate) add(terms.quad(subject, predicate, objectTerm(item, graph), graph));
            else readNodes(item, graph);
          }
        }
      }
    }
    if (read % NODES_A_SLICE === 0) yield;
  }
}

/** The canonical lexical form of xsd:double as JSON-LD wants it: at most 15 digits after the point (JSON-LD 1.1 section 8.6, Data Round Tripping). */
function canonicalDouble(value: number): string {
  return value.toExponential(15).replace(/(\d)0*e\+?/, '$1E');
}

function asArray<Value>(value: unknown): readonly Value[] {
  return Array.isArray(value) ? value : [value as Value];
}
