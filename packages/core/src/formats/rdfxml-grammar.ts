import type * as RDF from '@rdfjs/types';
import type { SaxesAttributeNS, SaxesTagNS } from '@rubensworks/saxes';
import { IriBase } from '../model/iri.ts';
import { ITS, RDF_TYPE, RDF as RDF_VOCABULARY } from '../model/vocabulary.ts';
import type { DocumentTerms } from './document-terms.ts';
import type { IriMeter } from './iri-meter.ts';
import { XmlLiteral } from './xml-literal.ts';
import { isNCName } from './xml-name.ts';

const XML = 'http://www.w3.org/XML/1998/namespace';
const RDF_XML_LITERAL = `${RDF_VOCABULARY}XMLLiteral`;

// RDF/XML 1.1 section 6.2.1, with the additions of RDF 1.2: names of the RDF namespace that are
// syntax.
const ANNOTATION_ATTRIBUTES = ['annotation', 'annotationNodeID'];
const CORE_SYNTAX_TERMS = [
  ...['RDF', 'ID', 'about', 'parseType', 'resource', 'nodeID', 'datatype', 'version'],
  ...ANNOTATION_ATTRIBUTES,
];
const OLD_TERMS = ['aboutEach', 'aboutEachPrefix', 'bagID'];
const NO_NODE_ELEMENTS = new Set([...CORE_SYNTAX_TERMS, 'li', ...OLD_TERMS]);
const NO_PROPERTY_ELEMENTS = new Set([...CORE_SYNTAX_TERMS, 'Description', ...OLD_TERMS]);
const NO_PROPERTY_ATTRIBUTES = new Set([...CORE_SYNTAX_TERMS, 'Description', 'li', ...OLD_TERMS]);
/** Section 6.1.4: these attributes belong to the RDF namespace even without a prefix. */
const UNPREFIXED_ATTRIBUTES = new Set(['ID', 'about', 'resource', 'parseType', 'type']);

/** Nesting limit: looking up a prefix takes a step per level. */
const MAX_DEPTH = 1024;

type Resource = RDF.NamedNode | RDF.BlankNode;

/** The content that an open element expects. */
type Content =
  | { readonly kind: 'document' }
  | { readonly kind: 'nodes' }
  | { readonly kind: 'properties'; readonly subject: Resource; items: number }
  | {
      readonly kind: 'value';
      readonly property: Property;
      readonly datatype?: RDF.NamedNode;
      hasNode: boolean;
      text: string;
    }
  | { readonly kind: 'collection'; readonly property: Property; last?: RDF.BlankNode }
  | { readonly kind: 'triple'; readonly property: Property; term?: RDF.Quad; hasNode: boolean }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'literal'; readonly property: Property; readonly literal: XmlLiteral }
  | { readonly kind: 'markup'; readonly literal: XmlLiteral };

/** A property whose object has not been read yet. */
interface Property {
  readonly subject: Resource;
  readonly predicate: RDF.NamedNode;
  /** The statement named by rdf:ID. */
  readonly statement?: RDF.NamedNode;
  /** The reifier named by rdf:annotation or rdf:annotationNodeID (RDF 1.2). */
  readonly reifier?: Resource;
}

/** Settings that an element passes on to its descendants. */
interface Scope {
  /** xml:lang, or ''. */
  readonly language: string;
  /** its:dir; has an effect only in RDF 1.2. */
  readonly direction: 'ltr' | 'rtl' | '';
  /** Whether rdf:version declares RDF 1.2. */
  readonly isRdf12: boolean;
  /** xml:base, or the document's base. */
  readonly base: IriBase | undefined;
}

interface Frame extends Scope {
  readonly name: string;
  readonly content: Content;
}

export interface RdfXmlGrammarOptions {
  readonly terms: DocumentTerms;
  readonly meter: IriMeter;
  readonly baseIri: string | undefined;
  readonly add: (quad: RDF.Quad) => void;
  /** Throws INVALID_RDF with the XML parser's current location. */
  readonly fail: (message: string) => never;
}

/**
 * The grammar of RDF/XML (1.1 section 7 and the additions of RDF 1.2) over the events of a
 * namespace-aware XML parser. Feed it the events in order; it adds the triples. Violations of the
 * grammar fail. Only whitespace, comments, processing instructions and `xml:` attributes are
 * silently skipped.
 */
export class RdfXmlGrammar {
  private readonly frames: Frame[];
  private readonly terms: DocumentTerms;
  private readonly meter: IriMeter;
  private readonly add: (quad: RDF.Quad) => void;
  private readonly fail: (message: string) => never;
  private readonly usedIds = new Set<string>();
  /** The open triple terms, innermost last. */
  private readonly openTerms: (Content & { kind: 'triple' })[] = [];
  private readonly type: RDF.NamedNode;

  constructor({ terms, meter, baseIri, add, fail }: RdfXmlGrammarOptions) {
    this.terms = terms;
    this.meter = meter;
    this.add = add;
    this.fail = fail;
    this.type = terms.namedNode(RDF_TYPE);
    this.frames = [
      {
        name: '',
        content: { kind: 'document' },
        language: '',
        direction: '',
        isRdf12: false,
        base: baseIri === undefined ? undefined : new IriBase(baseIri),
      },
    ];
  }

  openTag(tag: SaxesTagNS): void {
    if (this.frames.length > MAX_DEPTH) this.fail(`elements are nested deeper than ${MAX_DEPTH} levels`);
    const parent = this.frames[this.frames.length - 1];
    const { content } = parent;
    if (content.kind === 'literal' || content.kind === 'markup') {
      content.literal.open(tag);
      this.frames.push({ ...parent, name: tag.name, content: { kind: 'markup', literal: content.literal } });
      return;
    }
    if (content.kind === 'ignored') {
      this.frames.push({ ...parent, name: tag.name, content });
      return;
    }
    const scope = this.scope(tag, parent);
    const attributes = this.attributes(tag);
    let inner: Content;
    switch (content.kind) {
      case 'document':
        if (isRdf(tag, 'RDF')) {
          for (const { name } of attributes) this.fail(`rdf:RDF has the attribute ${name}, but may not have any`);
          inner = { kind: 'nodes' };
        } else inner = this.nodeElement(tag, attributes, scope);
        break;
      case 'nodes':
        inner = this.nodeElement(tag, attributes, scope);
        break;
      case 'properties':
        inner = this.propertyElement(tag, attributes, scope, content);
        break;
      case 'value': {
        if (content.hasNode) this.fail(`<${parent.name}> contains a second node element; a property has one value`);
        if (content.datatype) this.fail(`<${parent.name}> has an rdf:datatype, so it can contain only text`);
        content.hasNode = true;
        const node = this.nodeElement(tag, attributes, scope);
        this.state(content.property, node.subject);
        inner = node;
        break;
      }
      case 'triple':
        if (content.hasNode) this.fail(`<${parent.name}> contains a second node element; a triple term has one`);
        content.hasNode = true;
        inner = this.nodeElement(tag, attributes, scope);
        break;
      case 'collection': {
        const node = this.nodeElement(tag, attributes, scope);
        this.item(content, node.subject);
        inner = node;
        break;
      }
      default:
        this.fail(`<${parent.name}> has attributes that give its value, so it must be empty`);
        return;
    }
    this.frames.push({ name: tag.name, content: inner, ...scope });
  }

  text(text: string): void {
    const { content, name } = this.frames[this.frames.length - 1];
    this.meter.claimToken(text.length);
    if (content.kind === 'literal' || content.kind === 'markup') content.literal.characters(text);
    else if (content.kind === 'value') {
      content.text += text;
      this.meter.claimToken(content.text.length);
    } else if (content.kind !== 'ignored' && /[^ \t\r\n]/.test(text))
      this.fail(`text is not allowed inside <${name}>: "${text.trim().slice(0, 40)}"`);
  }

  comment(text: string): void {
    const { content } = this.frames[this.frames.length - 1];
    if (content.kind === 'literal' || content.kind === 'markup') content.literal.comment(text);
  }

  instruction(target: string, body: string): void {
    const { content } = this.frames[this.frames.length - 1];
    if (content.kind === 'literal' || content.kind === 'markup') content.literal.instruction(target, body);
  }

  closeTag(): void {
    const frame = this.frames.pop()!;
    const { content, name } = frame;
    const { terms } = this;
    switch (content.kind) {
      case 'value':
        if (content.hasNode) {
          if (/[^ \t\r\n]/.test(content.text))
            this.fail(`<${name}> contains a node element and text; a property has one value`);
        } else if (content.datatype) this.state(content.property, terms.literal(content.text, content.datatype));
        else this.state(content.property, this.plainLiteral(content.text, frame));
        break;
      case 'literal':
        this.meter.claimToken(content.literal.length);
        this.state(content.property, terms.literal(String(content.literal), terms.namedNode(RDF_XML_LITERAL)));
        break;
      case 'markup':
        content.literal.close();
        break;
      case 'collection':
        this.item(content, undefined);
        break;
      case 'triple':
        this.openTerms.pop();
        if (!content.term) this.fail(`<${name}> has rdf:parseType="Triple" but contains no triple`);
        this.state(content.property, content.term);
    }
  }

  /**
   * Sections 2.7 and 2.14: xml:lang and xml:base apply to an element and its descendants; so do
   * rdf:version and its:dir.
   */
  private scope(tag: SaxesTagNS, parent: Frame): Scope {
    let { language, direction, isRdf12, base } = parent;
    for (const { uri, local, value, name } of Object.values(tag.attributes)) {
      if (uri === RDF_VOCABULARY && local === 'version') isRdf12 = value.startsWith('1.2');
      else if (uri === ITS && local === 'dir') {
        if (value !== 'ltr' && value !== 'rtl') this.fail(`${name} must be ltr or rtl, not "${value.slice(0, 40)}"`);
        direction = value;
      }
      if (uri !== XML) continue;
      if (local === 'lang') language = value;
      else if (local === 'base') {
        const iri = this.resolve(value, parent.base);
        this.meter.claim(iri);
        base = new IriBase(iri);
      }
    }
    return { language, direction, isRdf12, base };
  }

  /** Returns the attributes that belong neither to XML itself nor to the scope. */
  private attributes(tag: SaxesTagNS): SaxesAttributeNS[] {
    const attributes: SaxesAttributeNS[] = [];
    for (const attribute of Object.values(tag.attributes)) {
      const { name, prefix, local, uri } = attribute;
      if (prefix === 'xmlns' || name === 'xmlns' || uri === XML) continue;
      if (uri === RDF_VOCABULARY && local === 'version') continue;
      if (uri === ITS && (local === 'dir' || local === 'version')) continue;
      // Section 6.1.2: names that start with xml are reserved and ignored.
      if (prefix === '' && /^xml/i.test(local)) continue;
      if (uri !== '') {
        if (uri === RDF_VOCABULARY && OLD_TERMS.includes(local)) this.fail(`${name} is no longer part of RDF/XML`);
        attributes.push(attribute);
      } else if (UNPREFIXED_ATTRIBUTES.has(local)) attributes.push({ ...attribute, uri: RDF_VOCABULARY });
      else
        this.fail(`the attribute ${name} of <${tag.name}> has no namespace, so it is not a property: give it a prefix`);
    }
    return attributes;
  }

  /** Section 7.2.11. */
  private nodeElement(
    tag: SaxesTagNS,
    attributes: readonly SaxesAttributeNS[],
    scope: Scope,
  ): { kind: 'properties'; subject: Resource; items: number } {
    if (tag.uri === RDF_VOCABULARY && NO_NODE_ELEMENTS.has(tag.local))
      this.fail(`<${tag.name}> cannot be a node element`);
    let subject: Resource | undefined;
    const properties: SaxesAttributeNS[] = [];
    for (const attribute of attributes) {
      const { uri, local, value, name } = attribute;
      if (uri !== RDF_VOCABULARY || !NO_PROPERTY_ATTRIBUTES.has(local)) {
        properties.push(attribute);
        continue;
      }
      if (subject) this.fail(`<${tag.name}> can have only one of rdf:about, rdf:ID and rdf:nodeID`);
      if (local === 'about') subject = this.iri(value, scope.base);
      else if (local === 'ID') subject = this.statedId(value, scope.base);
      else if (local === 'nodeID') subject = this.blankNode(value);
      else this.fail(`the attribute ${name} is not allowed on the node element <${tag.name}>`);
    }
    subject ??= this.terms.blankNode();
    if (!isRdf(tag, 'Description')) this.triple(subject, this.type, this.name(tag));
    this.propertyAttributes(subject, properties, scope);
    return { kind: 'properties', subject, items: 0 };
  }

  /** Section 7.2.14. */
  private propertyElement(
    tag: SaxesTagNS,
    attributes: readonly SaxesAttributeNS[],
    scope: Scope,
    parent: { readonly subject: Resource; items: number },
  ): Content {
    if (tag.uri === RDF_VOCABULARY && NO_PROPERTY_ELEMENTS.has(tag.local))
      this.fail(`<${tag.name}> cannot be a property element`);
    // Section 7.4: rdf:li counts up from rdf:_1.
    const predicate = isRdf(tag, 'li') ? this.terms.namedNode(`${RDF_VOCABULARY}_${++parent.items}`) : this.name(tag);

    const syntax = new Map<string, string>();
    const properties: SaxesAttributeNS[] = [];
    for (const attribute of attributes) {
      const { uri, local, value, name } = attribute;
      if (uri !== RDF_VOCABULARY || !NO_PROPERTY_ATTRIBUTES.has(local)) properties.push(attribute);
      else if (local === 'RDF' || local === 'about' || local === 'Description' || local === 'li')
        this.fail(`the attribute ${name} is not allowed on the property element <${tag.name}>`);
      else syntax.set(local, value);
    }
    const id = syntax.get('ID');
    const property: Property = {
      subject: parent.subject,
      predicate,
      statement: id === undefined ? undefined : this.statedId(id, scope.base),
      reifier: this.reifier(tag, syntax, scope),
    };
    for (const name of ['ID', ...ANNOTATION_ATTRIBUTES]) syntax.delete(name);
    const only = (attribute: string): void => {
      if (syntax.size > 1 || properties.length > 0)
        this.fail(`<${tag.name}> has rdf:${attribute}, so its only other attributes can be rdf:ID and rdf:annotation`);
    };

    const parseType = syntax.get('parseType');
    if (parseType !== undefined) {
      only('parseType');
      return this.parseType(parseType, property, scope);
    }
    const datatype = syntax.get('datatype');
    if (datatype !== undefined) {
      only('datatype');
      return { kind: 'value', property, datatype: this.iri(datatype, scope.base), hasNode: false, text: '' };
    }
    const resource = syntax.get('resource');
    const nodeId = syntax.get('nodeID');
    if (resource !== undefined && nodeId !== undefined)
      this.fail(`<${tag.name}> can have only one of rdf:resource and rdf:nodeID`);
    if (resource === undefined && nodeId === undefined && properties.length === 0)
      return { kind: 'value', property, hasNode: false, text: '' };

    // Section 7.2.21: an empty property element
    let object: Resource;
    if (resource !== undefined) object = this.iri(resource, scope.base);
    else if (nodeId !== undefined) object = this.blankNode(nodeId);
    else object = this.terms.blankNode();
    this.state(property, object);
    this.propertyAttributes(object, properties, scope);
    return { kind: 'nothing' };
  }

  /** Returns the reifier of a property element's triple (RDF 1.2). */
  private reifier(tag: SaxesTagNS, syntax: ReadonlyMap<string, string>, { base }: Scope): Resource | undefined {
    const iri = syntax.get('annotation');
    const label = syntax.get('annotationNodeID');
    if (iri !== undefined && label !== undefined)
      this.fail(`<${tag.name}> can have only one of rdf:annotation and rdf:annotationNodeID`);
    if (iri !== undefined) return this.iri(iri, base);
    return label === undefined ? undefined : this.blankNode(label);
  }

  /** Sections 7.2.17 to 7.2.20, and triple terms of RDF 1.2. */
  private parseType(parseType: string, property: Property, { isRdf12 }: Scope): Content {
    if (parseType === 'Resource') {
      const subject = this.terms.blankNode();
      this.state(property, subject);
      return { kind: 'properties', subject, items: 0 };
    }
    if (parseType === 'Collection') return { kind: 'collection', property };
    if (parseType === 'Triple') {
      // The RDF 1.2 test suite (rdf12-xml-tt-01): without rdf:version="1.2" a triple term is
      // ignored together with its property.
      if (!isRdf12) return { kind: 'ignored' };
      const content: Content & { kind: 'triple' } = { kind: 'triple', property, hasNode: false };
      this.openTerms.push(content);
      return content;
    }
    // Section 7.2.20: any other value is treated as Literal.
    return { kind: 'literal', property, literal: new XmlLiteral(this.meter) };
  }

  private propertyAttributes(subject: Resource, attributes: readonly SaxesAttributeNS[], scope: Scope): void {
    for (const attribute of attributes) {
      const { value } = attribute;
      if (isRdf(attribute, 'type')) this.triple(subject, this.type, this.iri(value, scope.base));
      else this.triple(subject, this.name(attribute), this.plainLiteral(value, scope));
    }
  }

  /** Adds an item (section 7.2.19); ends the list if there is no resource. */
  private item(content: Content & { kind: 'collection' }, resource: Resource | undefined): void {
    const { terms } = this;
    const cell = resource ? terms.blankNode() : terms.namedNode(`${RDF_VOCABULARY}nil`);
    if (content.last) this.triple(content.last, terms.namedNode(`${RDF_VOCABULARY}rest`), cell);
    else this.state(content.property, cell);
    if (!resource) return;
    this.triple(cell as RDF.BlankNode, terms.namedNode(`${RDF_VOCABULARY}first`), resource);
    content.last = cell as RDF.BlankNode;
  }

  /**
   * Adds the triple of a property element and the statements that rdf:ID (section 7.3) and
   * rdf:annotation make about it.
   */
  private state({ subject, predicate, statement, reifier }: Property, object: RDF.Quad_Object): void {
    this.triple(subject, predicate, object);
    const { terms } = this;
    if (reifier)
      this.triple(reifier, terms.namedNode(`${RDF_VOCABULARY}reifies`), terms.quad(subject, predicate, object));
    if (!statement) return;
    this.triple(statement, this.type, terms.namedNode(`${RDF_VOCABULARY}Statement`));
    this.triple(statement, terms.namedNode(`${RDF_VOCABULARY}subject`), subject);
    this.triple(statement, terms.namedNode(`${RDF_VOCABULARY}predicate`), predicate);
    this.triple(statement, terms.namedNode(`${RDF_VOCABULARY}object`), object);
  }

  /**
   * Adds a triple. Inside rdf:parseType="Triple" it becomes the triple term instead and must be the
   * only triple.
   */
  private triple(subject: Resource, predicate: RDF.NamedNode, object: RDF.Quad_Object): void {
    const quad = this.terms.quad(subject, predicate, object);
    const term = this.openTerms.at(-1);
    if (!term) this.add(quad);
    else if (term.term)
      this.fail('there is a second triple inside rdf:parseType="Triple"; a triple term is a single triple');
    else term.term = quad;
  }

  private plainLiteral(text: string, { language, direction, isRdf12 }: Scope): RDF.Literal {
    if (language === '') return this.terms.literal(text);
    return this.terms.literal(text, isRdf12 && direction ? { language, direction } : language);
  }

  private name({ name, uri, local }: { name: string; uri: string; local: string }): RDF.NamedNode {
    if (uri === '') this.fail(`<${name}> has no namespace, so it has no IRI: declare a namespace with xmlns`);
    return this.terms.namedNode(uri + local);
  }

  private iri(reference: string, base: IriBase | undefined): RDF.NamedNode {
    return this.terms.namedNode(this.resolve(reference, base));
  }

  private resolve(reference: string, base: IriBase | undefined): string {
    return base === undefined ? reference : base.resolve(reference);
  }

  /** Section 5.3: an rdf:ID must be unique within a document and base. */
  private statedId(id: string, base: IriBase | undefined): RDF.NamedNode {
    if (!isNCName(id)) this.fail(`the rdf:ID "${id}" is not an XML name`);
    const iri = this.iri(`#${id}`, base);
    if (this.usedIds.has(iri.value)) this.fail(`the rdf:ID "${id}" is used twice`);
    this.usedIds.add(iri.value);
    return iri;
  }

  private blankNode(id: string): RDF.BlankNode {
    if (!isNCName(id)) this.fail(`the rdf:nodeID "${id}" is not an XML name`);
    return this.terms.blankNode(id);
  }
}

function isRdf({ uri, local }: { uri: string; local: string }, name: string): boolean {
  return uri === RDF_VOCABULARY && local === name;
}
