import type { Term } from '@rdfjs/types';
import { LABELS } from '../rdf/labels.ts';
import { localName, prefixedName } from '../rdf/prefixes.ts';
import { shownIri } from '../rdf/term-view.tsx';
import { visibleText } from '../ui/visible.tsx';
import { GraphModel, type GraphNode } from './graph-model.ts';

/** A grid of terms: the rows of a result. */
export interface TermRows {
  readonly columns: readonly string[];
  readonly rowCount: number;
  term(row: number, column: number): Term | undefined;
}

/** More than a person can look at. */
export const MAX_NODES = 10_000;
const MAX_LABEL = 60;
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/**
 * Returns the graph of triples, from the columns that hold them: subject, predicate and object. For
 * other results, the entities of a row are linked to the first of them, by the name of the column.
 */
export function graphOf(rows: TermRows): { readonly model: GraphModel; readonly isCut: boolean } {
  const model = new GraphModel();
  const triple = tripleColumns(rows);
  const names = new Map<string, string>();
  const groups = new Map<string, number>();
  if (triple) {
    for (let row = 0; row < rows.rowCount; row++) {
      const [subject, predicate, object] = triple.map((column) => rows.term(row, column));
      if (!subject || !predicate || !object) continue;
      if (object.termType === 'Literal' && LABELS.has(predicate.value) && !names.has(idOf(subject)))
        names.set(idOf(subject), object.value);
      if (predicate.value === RDF_TYPE && !groups.has(idOf(subject))) groups.set(idOf(subject), groupOf(object.value));
    }
  }
  const add = (term: Term) => model.node(nodeOf(term, names, groups));
  for (let row = 0; row < rows.rowCount; row++) {
    if (model.nodes.length >= MAX_NODES) return { model, isCut: true };
    if (triple) {
      const [subject, predicate, object] = triple.map((column) => rows.term(row, column));
      if (!subject || !object || !isEntity(subject)) continue;
      // Labels are shown at the nodes themselves.
      if (object.termType === 'Literal' && predicate && LABELS.has(predicate.value)) {
        add(subject);
        continue;
      }
      model.edge(add(subject), add(object), predicate ? shownIri(predicate.value) : '');
    } else {
      const entities = rows.columns
        .map((name, column) => [name, rows.term(row, column)] as const)
        .filter((pair): pair is readonly [string, Term] => pair[1] !== undefined && isEntity(pair[1]));
      const [first, ...others] = entities;
      if (!first) continue;
      const source = add(first[1]);
      for (const [name, term] of others) model.edge(source, add(term), name);
    }
  }
  return { model, isCut: false };
}

/**
 * Adds triples to a graph, such as the neighbours of a node; `names` and `groups` by id. Returns
 * false if the graph has no room for all of them.
 */
export function addTriples(
  model: GraphModel,
  triples: Iterable<readonly [Term, Term, Term]>,
  names: ReadonlyMap<string, string>,
  groups: ReadonlyMap<string, number>,
): boolean {
  for (const [subject, predicate, object] of triples) {
    if (model.nodes.length >= MAX_NODES) return false;
    const source = model.node(nodeOf(subject, names, groups));
    model.edge(source, model.node(nodeOf(object, names, groups)), shownIri(predicate.value));
  }
  return true;
}

function tripleColumns({ columns }: TermRows): readonly number[] | undefined {
  const find = (...names: string[]) => columns.findIndex((column) => names.includes(column.toLowerCase()));
  const named = [find('s', 'subject'), find('p', 'predicate', 'property'), find('o', 'object', 'value')];
  if (named.every((column) => column >= 0)) return named;
  return undefined;
}

const isEntity = (term: Term) => term.termType === 'NamedNode' || term.termType === 'BlankNode';

/** Returns the id of a term in graphs. */
export function idOf(term: Term): string {
  if (term.termType === 'NamedNode') return term.value;
  if (term.termType === 'BlankNode') return `_:${term.value}`;
  return term.termType === 'Literal'
    ? `"${term.value.slice(0, 500)}"@${term.language}^${term.datatype.value}`
    : term.value;
}

/** Returns the colour of a class: the same in all graphs. */
export function groupOf(iri: string): number {
  let sum = 7;
  for (let i = 0; i < iri.length; i++) sum = (sum * 31 + iri.charCodeAt(i)) >>> 0;
  return 1 + (sum % 7);
}

function nodeOf(term: Term, names: ReadonlyMap<string, string>, groups: ReadonlyMap<string, number>): GraphNode {
  const id = idOf(term);
  const kind = term.termType === 'NamedNode' ? 'iri' : term.termType === 'BlankNode' ? 'blank' : 'literal';
  const plain =
    kind === 'iri' ? (prefixedName(term.value) ?? localName(term.value)) : kind === 'blank' ? '' : term.value;
  return {
    id,
    kind,
    label: visibleText(names.get(id) ?? plain, MAX_LABEL),
    group: kind === 'literal' ? 7 : (groups.get(id) ?? 0),
  };
}
