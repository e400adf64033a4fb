import type * as RDF from '@rdfjs/types';

/**
 * A row of terms as strings: two ground terms are the same term if and only if their cells are
 * equal, and a blank node is a cell that starts with `_:`. No ground cell does.
 */
export type CellRow = readonly string[];

export function isBlankCell(cell: string): boolean {
  return cell.startsWith('_:');
}

/**
 * Appends the cells of a term; a triple term takes several, so that its blank nodes are cells too.
 */
export function appendTermCells(term: RDF.Term | undefined, cells: string[]): void {
  if (!term) {
    cells.push('');
    return;
  }
  switch (term.termType) {
    case 'NamedNode':
      cells.push(`<${term.value}>`);
      return;
    case 'BlankNode':
      cells.push(`_:${term.value}`);
      return;
    case 'Literal':
      // RDF 1.1 Concepts 3.3: language tags may be compared in lower case. Lexical forms and
      // datatypes are compared as they are.
      cells.push(
        term.language
          ? `${JSON.stringify(term.value)}@${term.language.toLowerCase()}${term.direction ? `--${term.direction}` : ''}`
          : `${JSON.stringify(term.value)}^^<${term.datatype.value}>`,
      );
      return;
    case 'Quad':
      cells.push('<<(');
      appendTermCells(term.subject, cells);
      appendTermCells(term.predicate, cells);
      appendTermCells(term.object, cells);
      cells.push(')>>');
      return;
    case 'DefaultGraph':
      cells.push('default');
      return;
    case 'Variable':
      throw new Error(`A result holds the variable ?${term.value}; results hold terms only.`);
  }
}

/** The rows of a dataset: a set, however often a quad is listed. */
export function quadRows(quads: Iterable<RDF.Quad>): CellRow[] {
  const rows = new Map<string, CellRow>();
  for (const { subject, predicate, object, graph } of quads) {
    const cells: string[] = [];
    for (const term of [subject, predicate, object, graph]) appendTermCells(term, cells);
    rows.set(cells.join('\0'), cells);
  }
  return [...rows.values()];
}
