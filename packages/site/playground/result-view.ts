import { QuadsResult, type QueryResult, SelectResult, type TripleSearchResult } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';

/** Rows drawn at most; the status says how many there are. */
const MOST_ROWS = 500;

const PREFIXES: readonly (readonly [prefix: string, namespace: string])[] = [
  ['ex', 'https://example.org/'],
  ['rdfs', 'http://www.w3.org/2000/01/rdf-schema#'],
  ['rdf', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  ['xsd', 'http://www.w3.org/2001/XMLSchema#'],
];

/** Draws a result of any form, and returns what to say about it. */
export async function showResult(parent: HTMLElement, result: QueryResult): Promise<string> {
  switch (result.type) {
    case 'bindings': {
      const names = result.variables;
      const rows: (RDF.Term | undefined)[][] = [];
      let count = 0;
      for await (const row of new SelectResult(names, result.batches))
        if (count++ < MOST_ROWS) rows.push(names.map((name) => row.get(name)));
      parent.replaceChildren(table(names, rows));
      return counted(count, 'row');
    }
    case 'quads': {
      const rows: RDF.Term[][] = [];
      let count = 0;
      for await (const quad of new QuadsResult(result.batches))
        if (count++ < MOST_ROWS) rows.push([quad.subject, quad.predicate, quad.object]);
      parent.replaceChildren(table(['subject', 'predicate', 'object'], rows));
      return counted(count, 'triple');
    }
    case 'boolean':
      parent.replaceChildren(element('p', String(result.value)));
      return 'Answered';
    case 'update':
      parent.replaceChildren();
      return `${counted(result.inserted, 'quad')} inserted, ${counted(result.deleted, 'quad')} deleted`;
  }
}

/** Draws the hits of a search. */
export function showHits(parent: HTMLElement, hits: readonly TripleSearchResult[]): string {
  const rows = hits.map(({ subject, predicate, object, world }) => [
    short(subject),
    short(predicate),
    object,
    world.slug,
  ]);
  parent.replaceChildren(table(['subject', 'predicate', 'text', 'world'], rows));
  return counted(hits.length, 'hit');
}

function counted(count: number, name: string): string {
  const shown = count > MOST_ROWS ? `, the first ${MOST_ROWS} of them here` : '';
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}${shown}`;
}

function table(names: readonly string[], rows: readonly (readonly (RDF.Term | string | undefined)[])[]): HTMLElement {
  const whole = document.createElement('table');
  const head = whole.createTHead().insertRow();
  for (const name of names) {
    const cell = element('th', name);
    cell.setAttribute('scope', 'col');
    head.append(cell);
  }
  const body = whole.createTBody();
  for (const values of rows) {
    const row = body.insertRow();
    for (const value of values) row.append(cellOf(value));
  }
  return whole;
}

/** Terms are text, never markup or links: data from anywhere can be imported here. */
function cellOf(value: RDF.Term | string | undefined): HTMLElement {
  const cell = element('td', typeof value === 'string' ? value : value ? textOf(value) : '');
  cell.dir = 'auto';
  if (typeof value === 'object') cell.title = value.value;
  if (typeof value === 'object' && value.termType === 'Literal' && value.language !== '')
    cell.append(element('small', ` ${value.language}`));
  return cell;
}

function textOf(term: RDF.Term): string {
  if (term.termType === 'NamedNode') return short(term.value);
  if (term.termType === 'BlankNode') return `_:${term.value.slice(0, 8)}`;
  if (term.termType === 'Quad')
    return `<<( ${textOf(term.subject)} ${textOf(term.predicate)} ${textOf(term.object)} )>>`;
  return term.value;
}

function short(iri: string): string {
  const found = PREFIXES.find(([, namespace]) => iri.startsWith(namespace));
  return found ? `${found[0]}:${iri.slice(found[1].length)}` : iri;
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
