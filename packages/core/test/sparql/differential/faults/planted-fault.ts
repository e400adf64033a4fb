import { type NativeEngineOptions, nativeEngine } from '../../../../src/index.ts';
import type { QuadSource, SparqlEngine, UpdateView } from '../../../../src/plugin.ts';
import type {
  Algebra,
  Expression,
  Path,
  Query,
  Update,
  UpdateOperation,
} from '../../../../src/sparql/algebra/algebra.ts';
import { evaluateQuery } from '../../../../src/sparql/evaluate-query.ts';
import { executeUpdate } from '../../../../src/sparql/execute-update.ts';
import { prepareOperation } from '../../../../src/sparql/prepare-operation.ts';

/** The native engine with one thing done wrong on purpose, to see whether the campaign notices. */
export interface PlantedFault {
  readonly name: string;
  /** What a text must be made of to run into it; see `coverage.ts`. */
  readonly needs?: string;
  readonly engine: SparqlEngine;
  /** Puts the fault where the engine finds it, and gives what takes it away again. */
  plant?(): () => void;
}

/** A part of the algebra that can be exchanged. */
export type Node = Algebra | Expression | Path | UpdateOperation;

/**
 * Where an engine can be made to do something else: before the algebra is planned, at what it reads
 * and at what it writes.
 */
export interface Change {
  /** Told each part after the parts inside it; gives what stands in its place. */
  readonly node?: (node: Node) => Node;
  readonly operation?: (operation: Query | Update) => Query | Update;
  readonly source?: (source: QuadSource) => QuadSource;
  readonly view?: (view: UpdateView) => UpdateView;
}

/** The native engine without its cache, whose algebra, data and changes go through other hands. */
export function changedEngine(
  { node, operation: changeOperation, source: changeSource, view: changeView }: Change,
  options: NativeEngineOptions = {},
): SparqlEngine {
  return {
    name: 'changed',
    async prepare(text, { baseIri }) {
      let operation = prepareOperation(text, { baseIri });
      if (node) operation = rewritten(operation, node);
      if (changeOperation) operation = changeOperation(operation);
      const request = { ...options, baseIri };
      if (operation.type === 'update') {
        const update = operation;
        return {
          type: 'update',
          execute: (view, evaluateOptions) =>
            executeUpdate(update, changeView ? changeView(view) : view, request, evaluateOptions),
        };
      }
      const query = operation;
      return {
        type: 'query',
        form: query.type,
        evaluate: (source, evaluateOptions) =>
          evaluateQuery(() => query, changeSource ? changeSource(source) : source, request, evaluateOptions),
      };
    },
  };
}

/**
 * Exchanges parts of an operation, from the inside out. RDF terms, variables and prefixes are no
 * parts.
 */
function rewritten<Whole>(whole: Whole, change: (node: Node) => Node): Whole {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null || value instanceof Map || 'termType' in value) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part)]));
    return 'type' in copy ? change(copy as Node) : copy;
  };
  return walk(whole) as Whole;
}

/** An object that does one thing otherwise, and all else as before. */
export function replaced<Whole extends object>(whole: Whole, parts: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get(target, name) {
      if (name in parts) return parts[name as keyof Whole];
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A fault that is a method of a class that all its objects share. */
export function methodFault<Class extends object, Name extends keyof Class>(
  name: string,
  prototype: Class,
  method: Name,
  make: (right: Class[Name]) => Class[Name],
  options: NativeEngineOptions = {},
): PlantedFault {
  return {
    name,
    engine: nativeEngine(options),
    plant() {
      const right = prototype[method];
      prototype[method] = make(right);
      return () => {
        prototype[method] = right;
      };
    },
  };
}
