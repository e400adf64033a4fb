import type { SaxesTagNS } from '@rubensworks/saxes';
import type { IriMeter } from './iri-meter.ts';

/**
 * Builds the lexical form of an rdf:XMLLiteral from the events of its content: Exclusive XML
 * Canonicalization 1.0 with comments, as RDF/XML 1.1 section 7.2.17 requires. The text is
 * well-formed on its own, whatever namespaces surround it.
 */
export class XmlLiteral {
  private text = '';
  /** The namespaces, by prefix, that the open elements have declared in the output. */
  private readonly rendered = new Map<string, string>();
  /** For each open element, the outer declarations that its own have replaced. */
  private readonly replaced: [string, string | undefined][][] = [];
  private readonly names: string[] = [];
  private readonly meter: IriMeter;

  constructor(meter: IriMeter) {
    this.meter = meter;
  }

  open(tag: SaxesTagNS): void {
    const attributes = Object.values(tag.attributes).filter(
      ({ name, prefix }) => name !== 'xmlns' && prefix !== 'xmlns',
    );
    const { rendered } = this;
    const replaced: [string, string | undefined][] = [];
    // Exclusive XML Canonicalization section 3: an element outputs the namespaces that it visibly
    // uses and no ancestor has output.
    const declarations: [string, string][] = [];
    for (const { prefix, uri } of [tag, ...attributes.filter((attribute) => attribute.prefix !== '')]) {
      if (prefix === 'xml' || (rendered.get(prefix) ?? '') === uri) continue;
      replaced.push([prefix, rendered.get(prefix)]);
      rendered.set(prefix, uri);
      declarations.push([prefix, uri]);
      this.meter.claimText(uri.length);
    }
    this.text += `<${tag.name}`;
    for (const [prefix, uri] of declarations.sort(([left], [right]) => compare(left, right)))
      this.text += ` xmlns${prefix === '' ? '' : ':'}${prefix}="${escapeAttribute(uri)}"`;
    for (const { name, value } of attributes.sort(
      (left, right) => compare(left.uri, right.uri) || compare(left.local, right.local),
    ))
      this.text += ` ${name}="${escapeAttribute(value)}"`;
    this.text += '>';
    this.replaced.push(replaced);
    this.names.push(tag.name);
  }

  close(): void {
    this.text += `</${this.names.pop()}>`;
    for (const [prefix, uri] of this.replaced.pop()!.reverse()) {
      if (uri === undefined) this.rendered.delete(prefix);
      else this.rendered.set(prefix, uri);
    }
  }

  characters(text: string): void {
    this.text += text.replace(/[&<>\r]/g, (character) => TEXT_ESCAPES.get(character)!);
  }

  comment(text: string): void {
    this.text += `<!--${text}-->`;
  }

  instruction(target: string, body: string): void {
    this.text += body === '' ? `<?${target}?>` : `<?${target} ${body}?>`;
  }

  get length(): number {
    return this.text.length;
  }

  toString(): string {
    return this.text;
  }
}

// Canonical XML 1.1 section 2.3
const TEXT_ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['\r', '&#xD;'],
]);
const ATTRIBUTE_ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['"', '&quot;'],
  ['\t', '&#x9;'],
  ['\n', '&#xA;'],
  ['\r', '&#xD;'],
]);

function escapeAttribute(value: string): string {
  return value.replace(/[&<"\t\n\r]/g, (character) => ATTRIBUTE_ESCAPES.get(character)!);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
