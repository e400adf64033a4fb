import type * as RDF from '@rdfjs/types';
import { RDF_JSON, RDF_TYPE, RDF as RDF_VOCABULARY } from '../../model/vocabulary.ts';
import type { DocumentTerms } from '../document-terms.ts';
import { I18N, RDF_DIRECTION, RDF_LANGUAGE, RDF_VALUE, type RdfDirection } from '../rdf-direction.ts';
import { canonicalJson } from './canonical-json.ts';
import { type ExpandedObject, PARTS } from './expanded-objects.ts';
import { nativeValue } from './native-value.ts';
import { type JsonLdWork, type Kernel, shown } from './work.ts';

const RDF_FIRST = `${RDF_VOCABULARY}first`;
const RDF_REST = `${RDF_VOCABULARY}rest`;
const RDF_NIL = `${RDF_VOCABULARY}nil`;

interface PendingNode {
  readonly node: ExpandedObject;
  readonly subject: RDF.NamedNode | RDF.BlankNode;
  readonly graph: RDF.Quad_Graph;
}

export interface ExpandedQuadsOptions {
  readonly work: JsonLdWork;
  readonly terms: DocumentTerms;
  readonly add: (quad: RDF.Quad) => void;
  /** Throws INVALID_RDF. */
  readonly fail: (message: string) => never;
  /** The RDF representation of `@direction`; without it `@direction` is ignored. */
  readonly rdfDirection?: RdfDirection;
  readonly onIgnoredDirection?: () => void;
}

/**
 * Converts expanded JSON-LD to quads (JSON-LD 1.1 API section 8: Deserialize JSON-LD to RDF),
 * directly from the tree: quads form a set, so no node map is needed. Where the algorithm drops
 * malformed data (relative and malformed IRIs, malformed language tags) this fails, so that nothing
 * is silently lost. Strings keep their lexical form whatever their datatype.
 */
export function* expandedQuads(
  document: readonly ExpandedObject[],
  { work, terms, add, fail, rdfDirection, onIgnoredDirection }: ExpandedQuadsOptions,
): Kernel<void> {
  const type = terms.namedNode(RDF_TYPE);
  const first = terms.namedNode(RDF_FIRST);
  const rest = terms.namedNode(RDF_REST);
  const nil = terms.namedNode(RDF_NIL);
  const pending: PendingNode[] = [];

  const resource = (id: string, role: string): RDF.NamedNode | RDF.BlankNode => {
    work.meter.claim(id);
    if (id.startsWith('_:')) return terms.blankNode(id.slice(2));
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(id))
      fail(
        `the ${role} ${shown(id)} is a relative IRI, which JSON-LD would drop: pass a base IRI, or define the term in the context`,
      );
    return terms.namedNode(id);
  };
  /**
   * Section 8.1.2, step 1.3.2.3: "if property is a blank node identifier and the
   * produceGeneralizedRdf option is not true, continue with the next property-values pair". Returns
   * null for such properties.
   */
  const predicateOf = (property: string): RDF.NamedNode | null => {
    const term = resource(property, 'property');
    return term.termType === 'BlankNode' ? null : term;
  };
  /** Returns the subject of a node object and queues the node; its properties are read later. */
  const nodeTerm = (node: ExpandedObject, graph: RDF.Quad_Graph): RDF.NamedNode | RDF.BlankNode => {
    const id = node['@id'];
    const subject = typeof id === 'string' ? resource(id, '@id') : terms.blankNode();
    pending.push({ node, subject, graph });
    return subject;
  };
  /** Returns the head of a list. Items may themselves be lists. */
  const listTerm = function* (items: readonly ExpandedObject[], graph: RDF.Quad_Graph): Kernel<RDF.Quad_Object> {
    let head: RDF.NamedNode | RDF.BlankNode = nil;
    for (let index = items.length - 1; index >= 0; index--) {
      if (work.step()) yield;
      const cell = terms.blankNode();
      const item = items[index];
      add(terms.quad(cell, first, isSimple(item) ? simpleTerm(item, graph) : yield* objectTerm(item, graph), graph));
      add(terms.quad(cell, rest, head, graph));
      head = cell;
    }
    return head;
  };
  const simpleTerm = (item: ExpandedObject, graph: RDF.Quad_Graph): RDF.Quad_Object =>
    '@value' in item ? literal(item, graph) : nodeTerm(item, graph);
  const objectTerm = function* (item: ExpandedObject, graph: RDF.Quad_Graph): Kernel<RDF.Quad_Object> {
    if ('@list' in item) return yield* listTerm(item['@list'] as ExpandedObject[], graph);
    const pieces = canonicalJson(item['@value']);
    for (;;) {
      const piece = pieces.next();
      if (piece.done) return terms.literal(piece.value, terms.namedNode(RDF_JSON));
      if (work.step()) yield;
    }
  };
  /**
   * Queues the nodes in values of a property that produces no triples: they are in the node map and
   * have triples of their own (section 7.2.2).
   */
  const readNodes = function* (item: ExpandedObject, graph: RDF.Quad_Graph): Kernel<void> {
    if (work.step()) yield;
    if ('@list' in item) for (const inner of item['@list'] as ExpandedObject[]) yield* readNodes(inner, graph);
    else if (!('@value' in item)) nodeTerm(item, graph);
  };
  // Section 8.2.2
  const literal = (item: ExpandedObject, graph: RDF.Quad_Graph): RDF.Literal | RDF.BlankNode => {
    const value = item['@value'];
    const datatype = item['@type'];
    if (datatype !== undefined && typeof datatype !== 'string')
      return fail('invalid typed value: the @type of a value object must be one IRI');
    const iri = datatype;
    const native = nativeValue(value, iri);
    if (native) return terms.literal(native.value, terms.namedNode(native.datatype));
    if (typeof value !== 'string') return fail(`the @value ${shown(value)} is not a string, number or boolean`);
    const language = item['@language'];
    // "if item contains an @direction entry and rdfDirection is not null" (section 8.2.2, step 13)
    const direction = item['@direction'];
    if (typeof direction === 'string') {
      if (rdfDirection) return directed(value, typeof language === 'string' ? language : '', direction, graph);
      onIgnoredDirection?.();
    }
    if (typeof language === 'string') return terms.literal(value, language);
    return iri === undefined ? terms.literal(value) : terms.literal(value, terms.namedNode(iri));
  };

  /** Section 8.2.2, steps 13.1 to 13.3, and literals of RDF 1.2. */
  const directed = (
    value: string,
    given: string,
    direction: string,
    graph: RDF.Quad_Graph,
  ): RDF.Literal | RDF.BlankNode => {
    // Rejects malformed language tags.
    const tagged = given === '' ? undefined : terms.literal(value, given);
    if (rdfDirection === 'dir-lang-string') {
      if (!tagged)
        return fail(
          'a value has @direction without @language, but a literal with a base direction needs a language: use another rdfDirection',
        );
      return terms.literal(value, { language: given, direction: direction as 'ltr' | 'rtl' });
    }
    // "Initialize language to the value of @language in item normalized to lower case, or the empty
    // string"
    const language = given.toLowerCase();
    if (rdfDirection === 'i18n-datatype')
      return terms.literal(value, terms.namedNode(`${I18N}${language}_${direction}`));
    const node = terms.blankNode();
    add(terms.quad(node, terms.namedNode(RDF_VALUE), terms.literal(value), graph));
    if (language !== '') add(terms.quad(node, terms.namedNode(RDF_LANGUAGE), terms.literal(language), graph));
    add(terms.quad(node, terms.namedNode(RDF_DIRECTION), terms.literal(direction), graph));
    return node;
  };

  const defaultGraph = terms.defaultGraph();
  for (const node of document) {
    nodeTerm(node, defaultGraph);
    if (work.step()) yield;
  }

  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, subject, graph } = next;
    for (const property in node) {
      if (work.step()) yield;
      const values = node[property];
      switch (property) {
        case '@id':
        case '@index':
          break;
        case '@type':
          for (const iri of asArray<string | null>(values)) {
            // A type with the form of a keyword expands to null (section 5.2.2, step 2).
            if (iri !== null) add(terms.quad(subject, type, resource(iri, '@type'), graph));
            if (work.step()) yield;
          }
          break;
        case PARTS:
          for (const part of values as ExpandedObject[]) pending.push({ node: part, subject, graph });
          break;
        case '@graph':
        case '@included':
          for (const inner of asArray<ExpandedObject>(values)) {
            nodeTerm(inner, property === '@graph' ? subject : graph);
            if (work.step()) yield;
          }
          break;
        case '@reverse': {
          const reversed = values as ExpandedObject;
          for (const reverse in reversed) {
            const predicate = predicateOf(reverse);
            for (const inner of asArray<ExpandedObject>(reversed[reverse])) {
              const object = nodeTerm(inner, graph);
              if (predicate) add(terms.quad(object, predicate, subject, graph));
              if (work.step()) yield;
            }
          }
          break;
        }
        default: {
          const predicate = predicateOf(property);
          for (const item of asArray<ExpandedObject>(values)) {
            if (work.step()) yield;
            // A reference with the form of a keyword expands to null and is dropped (section 5.2.2,
            // step 2).
            if (item['@id'] === null && Object.keys(item).length === 1) continue;
            if (!predicate) yield* readNodes(item, graph);
            else if (isSimple(item)) add(terms.quad(subject, predicate, simpleTerm(item, graph), graph));
            else add(terms.quad(subject, predicate, yield* objectTerm(item, graph), graph));
          }
        }
      }
    }
  }
}

/** Returns whether an item's term can be made in one step; lists and JSON literals may be long. */
function isSimple(item: ExpandedObject): boolean {
  return !('@list' in item) && item['@type'] !== '@json';
}

function asArray<Value>(value: unknown): readonly Value[] {
  return Array.isArray(value) ? value : [value as Value];
}
