import { dataFactory, WorldsError } from '@rdf-worlds/core';
import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  type FoundTriple,
  NO_TERM,
  QuadBatch,
  type QuadSource,
  type SearchSource,
  type TermId,
} from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import {
  type Expression,
  join,
  mapExpression,
  mapOperation,
  type Operation,
  project,
  type Service,
  scope,
  values,
  valuesRow,
} from './algebra.ts';
import type { BlankNodes } from './blank-nodes.ts';
import { abortError } from './pacer.ts';
import { filtered, isSearchService, readSearchService, searchedVariable } from './search-service.ts';

/** Maximum number of distinct texts that one SERVICE may search for. */
const MAX_TEXTS = 1000;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const UNIT = values([], [valuesRow([])]);

export interface SearchSetting {
  readonly source: QuadSource;
  readonly search: SearchSource | undefined;
  readonly blankNodes: BlankNodes;
  readonly signal: AbortSignal | undefined;
  /** Returns the solutions of an operation over the default graph. */
  readonly solve: (operation: Operation) => Promise<readonly RDF.Bindings[]>;
}

/** The surroundings of a search. */
interface Place {
  /** Undefined for the default graph. */
  readonly graph: RDF.Term | undefined;
  /** The operations it is joined with, which may bind its text. */
  readonly beside: readonly Operation[];
}

/**
 * Runs the searches of an operation and replaces them by their hits, so that Comunica never sees
 * them.
 */
export class Searches {
  private readonly setting: SearchSetting;
  private readonly graphs: readonly RDF.Term[];

  constructor(setting: SearchSetting) {
    this.setting = setting;
    const { source, blankNodes } = setting;
    this.graphs = Array.from(source.graphs, (id) => blankNodes.inner(source.terms.term(id)));
  }

  async resolve(operation: Operation): Promise<Operation> {
    return hasSearch(operation) ? this.within(operation, { graph: undefined, beside: [] }) : operation;
  }

  private async within(operation: Operation, place: Place): Promise<Operation> {
    if (!hasSearch(operation)) return operation;
    const alone: Place = { graph: place.graph, beside: [] };
    switch (operation.type) {
      case 'service':
        return this.hits(operation, place);
      case 'join':
        return this.join(operation.input, place);
      case 'leftjoin': {
        const left = await this.within(operation.input[0], alone);
        const right = await this.within(operation.input[1], { graph: place.graph, beside: [left] });
        return { ...(await this.expressionsOf({ ...operation, input: [left, right] }, alone)) };
      }
      case 'graph': {
        const { name, input } = operation;
        if (name.termType !== 'Variable') {
          return { type: 'graph', name, input: await this.within(input, { graph: name, beside: [] }) };
        }
        // SPARQL 1.1 section 18.6: the union over the graphs.
        const branches: Operation[] = [];
        for (const graph of this.graphs) {
          const branch = await this.within(input, { graph, beside: [] });
          const named = values([name], [valuesRow([[name.value, graph]])]);
          branches.push(join([named, { type: 'graph', name: graph, input: branch }]));
        }
        const variables = [...scope(operation)].map((each) => dataFactory.variable(each));
        return branches.length === 0 ? values(variables, []) : { type: 'union', input: branches };
      }
      default: {
        const inputs: Operation[] = [];
        mapOperation(
          operation,
          (input) => {
            inputs.push(input);
            return input;
          },
          (part) => part,
        );
        const resolved: Operation[] = [];
        for (const input of inputs) resolved.push(await this.within(input, alone));
        let at = 0;
        return this.expressionsOf(
          mapOperation(
            operation,
            () => resolved[at++],
            (part) => part,
          ),
          alone,
        );
      }
    }
  }

  /** A search whose text is bound by other inputs runs after them. */
  private async join(inputs: readonly Operation[], { graph, beside }: Place): Promise<Operation> {
    const isLast = (input: Operation) =>
      input.type === 'service' && isSearchService(input) && searchedVariable(input) !== undefined;
    const resolved: Operation[] = [];
    for (const input of inputs) if (!isLast(input)) resolved.push(await this.within(input, { graph, beside: [] }));
    for (const input of inputs) {
      if (isLast(input)) resolved.push(await this.within(input, { graph, beside: [...beside, ...resolved] }));
    }
    return join(resolved);
  }

  /** Returns the operation with the searches in its own EXISTS resolved. */
  private async expressionsOf(operation: Operation, place: Place): Promise<Operation> {
    const patterns: Operation[] = [];
    const visit = (resolve: (pattern: Operation) => Operation) => {
      const expression = (part: Expression): Expression => mapExpression(part, expression, resolve);
      return mapOperation(operation, (input) => input, expression);
    };
    visit((pattern) => {
      patterns.push(pattern);
      return pattern;
    });
    const resolved: Operation[] = [];
    for (const pattern of patterns) resolved.push(await this.within(pattern, place));
    let at = 0;
    return visit(() => resolved[at++]);
  }

  private async hits(service: Service, place: Place): Promise<Operation> {
    try {
      return await this.search(service, place);
    } catch (error) {
      const { signal } = this.setting;
      if (signal?.aborted) throw abortError(signal);
      if (service.silent && error instanceof WorldsError) return UNIT;
      throw error;
    }
  }

  private async search(service: Service, { graph, beside }: Place): Promise<Operation> {
    const { source, blankNodes, search, signal } = this.setting;
    const { terms } = source;
    const {
      search: { parts, limit },
      rest: inner,
      late,
    } = readSearchService(service);
    const rest = inner && (await this.within(inner, { graph, beside: [] }));
    if (!search) {
      throw new WorldsError(
        'UNSUPPORTED',
        'SERVICE <urn:rdf-worlds:search> has nothing to search: pass `search` in the options of the evaluation, as WorldsEngine does.',
      );
    }
    if (parts.graph && graph) throw wrong('the surrounding GRAPH already selects the graph; remove ws:graph, or GRAPH');
    const texts = await this.texts(parts.query, beside, graph);
    const idOf = (term: RDF.Term): TermId => terms.find(blankNodes.outer(term));
    const named = parts.graph ?? graph;
    const activeGraph = !named ? DEFAULT_GRAPH : named.termType === 'Variable' ? ANY_NAMED_GRAPH : idOf(named);
    const positions = [parts.subject, parts.predicate, parts.object];
    const narrowing = rest && (await this.narrowing(rest, positions, graph));
    const only = (part: RDF.Term | undefined) =>
      part && part.termType !== 'Variable' ? new Set([idOf(part)]) : undefined;
    const [subjects, predicates, objects] = positions.map(only);
    const rows: Record<string, RDF.Term>[] = [];
    for (const text of texts) {
      const found =
        activeGraph === NO_TERM
          ? []
          : await search.search({
              text: text.value,
              limit,
              ...(subjects && { subjects }),
              ...(predicates && { predicates }),
              ...(objects && { objects }),
              accepts: (s, p, o) => source.count(s, p, o, activeGraph) > 0 && (!narrowing || narrowing(s, p, o)),
              ...(signal && { signal }),
            });
      for (const [at, hit] of found.entries()) rows.push(...this.rows(hit, at + 1, text, parts));
    }
    const variables = [
      ...new Set(Object.values(parts).flatMap((part) => (part.termType === 'Variable' ? [part.value] : []))),
    ].map((name) => dataFactory.variable(name));
    const hits = values(variables, rows);
    return filtered(rest ? join([hits, rest]) : hits, late);
  }

  /**
   * Returns the texts to search for: the constant, or the values that the joined operations give
   * its variable.
   */
  private async texts(
    query: RDF.Term,
    beside: readonly Operation[],
    graph: RDF.Term | undefined,
  ): Promise<readonly RDF.Term[]> {
    if (query.termType !== 'Variable') return [query];
    if (!beside.some((operation) => scope(operation).has(query.value))) {
      throw wrong(
        `?${query.value} has no value at this point; bind it in the same group, as in VALUES ?${query.value} { "some words" }`,
      );
    }
    const rows = await this.solveIn(graph, { type: 'distinct', input: project(join(beside), [query]) });
    const texts = rows.flatMap((row) => {
      const term = row.get(query.value);
      return term?.termType === 'Literal' ? [term] : [];
    });
    if (texts.length > MAX_TEXTS) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `SERVICE <urn:rdf-worlds:search> was asked for more than ${MAX_TEXTS} different texts; bind its variable to fewer.`,
      );
    }
    return texts;
  }

  /** Returns a test for whether a triple has the parts of a solution of the other patterns. */
  private async narrowing(rest: Operation, positions: readonly (RDF.Term | undefined)[], graph: RDF.Term | undefined) {
    const { source, blankNodes } = this.setting;
    const inRest = scope(rest);
    const isShared = (part: RDF.Term | undefined) => part?.termType === 'Variable' && inRest.has(part.value);
    const shared = [0, 1, 2].filter((at) => isShared(positions[at]));
    const variables = shared.map((at) => positions[at] as RDF.Variable);
    const rows = await this.solveIn(graph, { type: 'distinct', input: project(rest, variables) });
    // Positions left unbound by a solution are compatible with any term.
    const kept = shared.filter((_, column) => rows.every((row) => row.has(variables[column].value)));
    const keys = new Set(
      rows.map((row) =>
        kept.map((at) => source.terms.find(blankNodes.outer(row.get((positions[at] as RDF.Variable).value)!))).join(),
      ),
    );
    return (...triple: [TermId, TermId, TermId]) => keys.has(kept.map((at) => triple[at]).join());
  }

  private solveIn(graph: RDF.Term | undefined, operation: Operation): Promise<readonly RDF.Bindings[]> {
    return this.setting.solve(graph ? { type: 'graph', name: graph, input: operation } : operation);
  }

  /**
   * Returns a hit as rows of VALUES, one per graph that contains it if the graph is requested; none
   * if it conflicts with given values.
   */
  private rows(
    { subject, predicate, object, score }: FoundTriple,
    rank: number,
    text: RDF.Term,
    parts: Readonly<Partial<Record<string, RDF.Term>>>,
  ): Record<string, RDF.Term>[] {
    const { source, blankNodes } = this.setting;
    const termOf = (id: TermId) => blankNodes.inner(source.terms.term(id));
    const given: Record<string, RDF.Term> = {
      query: text,
      subject: termOf(subject),
      predicate: termOf(predicate),
      object: termOf(object),
      score: dataFactory.literal(doubleText(score), dataFactory.namedNode(`${XSD}double`)),
      rank: dataFactory.literal(String(rank), dataFactory.namedNode(`${XSD}integer`)),
    };
    const entries: [string, RDF.Term][] = [];
    for (const [property, value] of Object.entries(given)) {
      const part = parts[property];
      if (!part) continue;
      if (part.termType === 'Variable') entries.push([part.value, value]);
      else if (property !== 'query' && !part.equals(value)) return [];
    }
    const graph = parts['graph'];
    const graphs: (readonly [string, RDF.Term])[][] = [[]];
    if (graph?.termType === 'Variable') {
      graphs.length = 0;
      const cursor = source.cursor();
      const batch = new QuadBatch(64);
      cursor.seek(subject, predicate, object, ANY_NAMED_GRAPH);
      while (cursor.next(batch) > 0) {
        for (let i = 0; i < batch.length; i++) graphs.push([[graph.value, termOf(batch.graph[i])]]);
      }
    }
    return graphs.flatMap((named) => {
      const row = new Map<string, RDF.Term>();
      for (const [name, term] of [...entries, ...named]) {
        const known = row.get(name);
        if (known && !known.equals(term)) return [];
        row.set(name, term);
      }
      return [valuesRow(row)];
    });
  }
}

/** Returns the canonical form of xsd:double. */
function doubleText(value: number): string {
  const [mantissa, exponent] = value.toExponential().split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

function hasSearch(operation: Operation): boolean {
  let found = false;
  const visit = (op: Operation): Operation => {
    if (op.type === 'service' && isSearchService(op)) found = true;
    return found ? op : mapOperation(op, visit, expression);
  };
  const expression = (part: Expression): Expression => (found ? part : mapExpression(part, expression, visit));
  visit(operation);
  return found;
}

function wrong(what: string): WorldsError {
  return new WorldsError('INVALID_SPARQL', `SERVICE <urn:rdf-worlds:search>: ${what}.`);
}
