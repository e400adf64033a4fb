import type { Term } from '@rdfjs/types';
import type { ComponentChildren } from 'preact';
import { addressOf } from '../router.ts';
import { Visible, visibleText } from '../ui/visible.tsx';
import { prefixedName, prefixVersion } from './prefixes.ts';

/** Longer texts are cut in tables and lists; the page of the entity shows the whole. */
const MAX_SHOWN = 300;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const NUMBERS = new Set(
  [
    'integer',
    'decimal',
    'double',
    'float',
    'int',
    'long',
    'short',
    'byte',
    'nonNegativeInteger',
    'positiveInteger',
  ].map((name) => XSD + name),
);

interface TermProps {
  readonly term: Term | undefined;
  /** The worlds that a click on an IRI looks into; IRIs are no links without it. */
  readonly worlds?: readonly string[] | undefined;
  readonly max?: number;
  /** False in grids whose cells move the focus themselves. */
  readonly isFocusable?: boolean;
}

/** A term: IRIs as prefixed names, literals with their language or datatype. */
export function TermView({ term, worlds, max = MAX_SHOWN, isFocusable = true }: TermProps) {
  if (!term) return <span class="muted">–</span>;
  switch (term.termType) {
    case 'NamedNode':
      return <IriView iri={term.value} worlds={worlds} max={max} isFocusable={isFocusable} />;
    case 'BlankNode':
      return (
        <EntityLink name={`_:${term.value}`} worlds={worlds} isFocusable={isFocusable} className="term blank">
          <Visible text={`_:${term.value}`} max={24} />
        </EntityLink>
      );
    case 'Literal': {
      const { value, language, datatype } = term;
      const isNumber = NUMBERS.has(datatype.value);
      const tag =
        language !== ''
          ? `@${language}`
          : datatype.value === `${XSD}string` || isNumber
            ? ''
            : shownIri(datatype.value);
      return (
        <span class={`term literal ${isNumber ? 'number' : ''}`} lang={language || undefined} dir="auto">
          <Visible text={value} max={max} />
          {tag !== '' && (
            <span class="tag" dir="ltr" lang="en">
              {visibleText(tag, 60)}
            </span>
          )}
        </span>
      );
    }
    case 'Quad':
      return (
        <span class="term">
          {'<< '}
          {[term.subject, term.predicate, term.object].map((part, i) => (
            <span key={i}>
              <TermView term={part} worlds={worlds} max={max} isFocusable={isFocusable} />{' '}
            </span>
          ))}
          {'>>'}
        </span>
      );
    default:
      return <span class="term">{term.termType}</span>;
  }
}

interface IriProps {
  readonly iri: string;
  readonly worlds?: readonly string[] | undefined;
  readonly max?: number;
  readonly isFocusable?: boolean;
}

/** An IRI as a prefixed name that opens its page in the console; never the address that it is. */
export function IriView({ iri, worlds, max = MAX_SHOWN, isFocusable = true }: IriProps) {
  return (
    <EntityLink name={iri} worlds={worlds} isFocusable={isFocusable} className="term iri">
      <Visible text={shownIri(iri)} max={max} />
    </EntityLink>
  );
}

/** Returns an IRI as people read it. A component that calls it is drawn again once prefixes were learned. */
export function shownIri(iri: string): string {
  void prefixVersion.value;
  return prefixedName(iri) ?? iri;
}

/** The address of the page of an entity: an IRI, or `_:` and the label of a blank node. */
export function entityAddress(name: string, worlds: readonly string[]): string {
  return addressOf(['entity'], { worlds: worlds.join(' '), of: name });
}

interface LinkProps {
  readonly name: string;
  readonly worlds: readonly string[] | undefined;
  readonly isFocusable: boolean;
  readonly className: string;
  readonly children: ComponentChildren;
}

function EntityLink({ name, worlds, isFocusable, className, children }: LinkProps) {
  const title = visibleText(name, 2_000);
  if (!worlds || name.length > 4_000) {
    return (
      <span class={className} title={title}>
        {children}
      </span>
    );
  }
  return (
    <a class={className} href={entityAddress(name, worlds)} title={title} tabIndex={isFocusable ? undefined : -1}>
      {children}
    </a>
  );
}
