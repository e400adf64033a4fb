import type {
  Algebra,
  GraphOperand,
  GraphTarget,
  Query,
  TemplateQuad,
  Update,
  UpdateOperation,
} from '../algebra/algebra.ts';
import { GroupPattern } from '../algebra/group-pattern.ts';
import { Template } from '../algebra/template.ts';
import { QueryParser } from './query-parser.ts';
import {
  DELETE_DATA_TRIPLES,
  DELETE_TRIPLES,
  DELETE_WHERE_TRIPLES,
  INSERT_DATA_TRIPLES,
  INSERT_TRIPLES,
  type TripleMode,
} from './triple-mode.ts';

/**
 * Parses a whole text: a query (rule 1), or an update request of any number of operations (rules 3,
 * 29 to 52).
 */
export class OperationParser extends QueryParser {
  /**
   * Parses the text. A kernel: it yields between the operations of an update, the objects of a
   * template and the parts of a query. Throws INVALID_SPARQL with a location, and LIMIT_EXCEEDED
   * above a limit of {@link ParseOptions}.
   */
  *operation(): Generator<void, Query | Update, void> {
    yield* this.prologue();
    switch (this.token) {
      case 'SELECT':
      case 'ASK':
      case 'CONSTRUCT':
      case 'DESCRIBE': {
        const query = yield* this.query();
        if (!this.at('<end>')) this.failExpected('the end of the query');
        return query;
      }
      default:
        return yield* this.update();
    }
  }

  private *update(): Generator<void, Update, void> {
    const operations: UpdateOperation[] = [];
    let isOneOperation = true;
    while (!this.at('<end>')) {
      this.beginOperation(operations.length);
      const isModification = this.at('INSERT') || this.at('DELETE') || this.at('WITH');
      operations.push(isModification ? yield* this.modification() : this.updateOperation(operations.length === 0));
      if (!this.accept(';')) break;
      isOneOperation &&= this.at('<end>');
      yield* this.prologue();
      yield;
    }
    if (!this.at('<end>')) this.failExpected('";" or the end of the update');
    const type = isOneOperation ? operations[0]?.type : undefined;
    if (type !== 'insertData' && type !== 'deleteData' && type !== 'modify') return { type: 'update', operations };
    const { baseIri, prefixes, writtenAs } = this;
    return { type: 'update', operations, baseIri, prefixes, writtenAs };
  }

  /** Update1 (rule 30), except for the operations that {@link modification} parses. */
  private updateOperation(isFirst: boolean): UpdateOperation {
    switch (this.token) {
      case 'LOAD':
        return this.load();
      case 'CLEAR':
        return this.clearOrDrop('clear');
      case 'DROP':
        return this.clearOrDrop('drop');
      case 'CREATE': {
        this.next();
        const silent = this.accept('SILENT');
        return { type: 'create', silent, iri: this.graphReference() };
      }
      case 'ADD':
        return this.transfer('add');
      case 'MOVE':
        return this.transfer('move');
      case 'COPY':
        return this.transfer('copy');
      default:
        this.failExpected(
          isFirst
            ? 'a query (SELECT, ASK, CONSTRUCT, DESCRIBE) or an update (INSERT, DELETE, WITH, LOAD, CLEAR, DROP, CREATE, ADD, MOVE, COPY)'
            : 'an update operation (INSERT, DELETE, WITH, LOAD, CLEAR, DROP, CREATE, ADD, MOVE, COPY)',
        );
    }
  }

  /** GraphRef (rule 46). Returns the IRI. */
  private graphReference(): string {
    this.expect('GRAPH', 'GRAPH');
    return this.iri('the IRI of a graph').value;
  }

  /** Load (rule 31). */
  private load(): UpdateOperation {
    this.next();
    const silent = this.accept('SILENT');
    const iri = this.iri('the IRI of a document after LOAD').value;
    return { type: 'load', silent, iri, into: this.accept('INTO') ? this.graphReference() : undefined };
  }

  /** Clear and Drop (rules 32, 33). */
  private clearOrDrop(type: 'clear' | 'drop'): UpdateOperation {
    this.next();
    const silent = this.accept('SILENT');
    return { type, silent, target: this.graphTarget() };
  }

  /** GraphRefAll (rule 47). */
  private graphTarget(): GraphTarget {
    if (this.accept('DEFAULT')) return 'default';
    if (this.accept('NAMED')) return 'named';
    if (this.accept('ALL')) return 'all';
    if (!this.at('GRAPH')) this.failExpected('GRAPH, DEFAULT, NAMED or ALL');
    return { iri: this.graphReference() };
  }

  /** Add, Move and Copy (rules 35 to 37). */
  private transfer(type: 'add' | 'move' | 'copy'): UpdateOperation {
    this.next();
    const silent = this.accept('SILENT');
    const from = this.graphOperand();
    this.expect('TO', 'TO and another graph');
    return { type, silent, from, to: this.graphOperand() };
  }

  /** GraphOrDefault (rule 45). */
  private graphOperand(): GraphOperand {
    if (this.accept('DEFAULT')) return 'default';
    const what = this.accept('GRAPH') ? 'the IRI of a graph' : 'DEFAULT, GRAPH or the IRI of a graph';
    return { iri: this.iri(what).value };
  }

  /** INSERT DATA, DELETE DATA, DELETE WHERE or Modify (rules 38 to 41). */
  private *modification(): Generator<void, UpdateOperation, void> {
    const graph = this.accept('WITH') ? this.iri('the IRI of a graph after WITH').value : undefined;
    let deleted: readonly TemplateQuad[] = [];
    let inserted: readonly TemplateQuad[] = [];
    const deletes = this.accept('DELETE');
    if (deletes) {
      if (graph === undefined && this.accept('DATA'))
        return { type: 'deleteData', quads: yield* this.quads(DELETE_DATA_TRIPLES) };
      if (graph === undefined && this.accept('WHERE')) return yield* this.deleteWhere();
      if (!this.at('{'))
        this.failExpected(graph === undefined ? 'DATA, WHERE or "{" after DELETE' : '"{" after DELETE');
      deleted = yield* this.quads(DELETE_TRIPLES);
    }
    if (this.at('INSERT') || !deletes) {
      this.expect('INSERT', 'DELETE or INSERT after WITH');
      if (graph === undefined && !deletes && this.accept('DATA')) {
        this.block = this.newBlock();
        return { type: 'insertData', quads: yield* this.quads(INSERT_DATA_TRIPLES) };
      }
      if (!this.at('{'))
        this.failExpected(graph === undefined && !deletes ? 'DATA or "{" after INSERT' : '"{" after INSERT');
      inserted = yield* this.quads(INSERT_TRIPLES);
    }
    return yield* this.modifyWhere(graph, deleted, inserted, deletes);
  }

  /** The part of a Modify after the templates (rule 41). */
  private *modifyWhere(
    graph: string | undefined,
    deleted: readonly TemplateQuad[],
    inserted: readonly TemplateQuad[],
    deletes: boolean,
  ): Generator<void, UpdateOperation, void> {
    const using = this.at('USING') ? yield* this.datasetClause('USING') : undefined;
    this.expect('WHERE', deletes && inserted.length === 0 ? 'INSERT, USING or WHERE' : 'USING or WHERE');
    const where = (yield* this.groupGraphPattern()).algebra();
    const { baseIri, readsNamedGraphs } = this;
    return { type: 'modify', with: graph, delete: deleted, insert: inserted, using, where, baseIri, readsNamedGraphs };
  }

  /** `{ Quads }` (rules 48 to 51). */
  private *quads(mode: TripleMode): Generator<void, readonly TemplateQuad[], void> {
    const template = new Template();
    this.sink = template;
    this.mode = mode;
    this.expect('{', `"{" and the triples of ${mode.place}`);
    for (;;) {
      template.graph = undefined;
      if (this.atSubject()) yield* this.templateTriples();
      if (!this.accept('GRAPH')) break;
      template.graph = this.at('<variable>')
        ? this.patternVariable()
        : this.iri('the name of a graph: a variable or an IRI');
      this.expect('{', '"{" after the name of the graph');
      if (this.atSubject()) yield* this.templateTriples();
      this.expect('}', 'a triple, "." or "}"');
      this.accept('.');
    }
    this.expect('}', 'a triple, GRAPH, "." or "}"');
    return template.quads;
  }

  /** DeleteWhere (rule 40): the template is also the pattern. */
  private *deleteWhere(): Generator<void, UpdateOperation, void> {
    const quads = yield* this.quads(DELETE_WHERE_TRIPLES);
    return {
      type: 'modify',
      with: undefined,
      delete: quads,
      insert: [],
      using: undefined,
      where: quadPattern(quads),
      baseIri: this.baseIri,
      readsNamedGraphs: quads.some(({ graph }) => graph?.termType === 'Variable'),
    };
  }
}

/** Converts quads to a pattern: consecutive triples of the same graph go into one GRAPH. */
function quadPattern(quads: readonly TemplateQuad[]): Algebra {
  const pattern = new GroupPattern();
  for (let from = 0; from < quads.length; ) {
    const { graph } = quads[from];
    const group = graph ? new GroupPattern() : pattern;
    for (; from < quads.length && quads[from].graph === graph; from++) {
      const { subject, predicate, object } = quads[from];
      group.triple(subject, predicate, object);
    }
    if (graph) pattern.join({ type: 'graph', name: graph, input: group.algebra() });
  }
  return pattern.algebra();
}
