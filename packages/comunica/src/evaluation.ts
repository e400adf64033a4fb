import { dataFactory, WorldsError } from '@rdf-worlds/core';
import type { QuadSource, SearchSource } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { AsyncIterator } from 'asynciterator';
import { type Operation, replaceExpressions } from './algebra.ts';
import { BlankNodes } from './blank-nodes.ts';
import { compareTexts, termKey } from './canonical-quads.ts';
import { PACER } from './engine-wiring.ts';
import { GraphExpansion } from './graph-expansion.ts';
import { Pacer } from './pacer.ts';
import { RdfjsSource } from './rdfjs-source.ts';
import { Searches } from './searches.ts';
import { type ServiceOptions, withServices } from './service.ts';
import type { Toolbox } from './toolbox.ts';

/** Maximum number of rows per batch. */
const BATCH_ROWS = 1024;

/** A solution of Comunica. */
export type Solution = RDF.Bindings;

export interface EvaluationSetting {
  readonly toolbox: Toolbox;
  readonly source: QuadSource;
  readonly now: Date;
  readonly signal?: AbortSignal;
  readonly baseIri?: string;
  readonly services: ServiceOptions;
  readonly search?: SearchSource | undefined;
  /**
   * Whether Comunica reads everything in the order of terms, so that its results do not depend on
   * ids.
   */
  readonly canonicalOrder?: boolean | undefined;
}

/** Keys of Comunica's context without a short form. */
const SOURCE_IDS = '@comunica/bus-query-source-identify:sourceIds';
const TIME_ZONE = '@comunica/utils-expression-evaluator:defaultTimeZone';

const DATE_TIME = dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#dateTime');

/** Replaces NOW() by the exact instant: Comunica's own drops the milliseconds. */
function withNow(operation: Operation, now: Date): Operation {
  const term = dataFactory.literal(now.toISOString(), DATE_TIME);
  return replaceExpressions(operation, (expression) =>
    expression.subType === 'operator' && expression.operator === 'now'
      ? { type: 'expression', subType: 'term', term }
      : undefined,
  );
}

/** Converts Comunica's errors about a query, recognised by how their messages start. */
function evaluationError(error: unknown): unknown {
  if (error instanceof WorldsError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) {
    return new WorldsError('LIMIT_EXCEEDED', 'The query is nested too deeply to be evaluated.', { cause: error });
  }
  if (/no (?:configured )?actor|Creation of function|unknown (?:named )?(?:operator|function)/iu.test(message)) {
    return new WorldsError('UNSUPPORTED', `Comunica cannot evaluate this: ${message.split('\n')[0]}`, { cause: error });
  }
  return new WorldsError('INTERNAL', `Comunica failed: ${message.split('\n')[0]}`, { cause: error });
}

/**
 * One evaluation of one operation over one source. The caller must always `close` it: that stops
 * Comunica and releases its memory.
 */
export class Evaluation {
  readonly pacer: Pacer;
  readonly blankNodes = new BlankNodes();
  private readonly setting: EvaluationSetting;

  constructor(setting: EvaluationSetting) {
    this.setting = setting;
    this.pacer = new Pacer(setting.signal);
  }

  close(): void {
    this.pacer.close();
  }

  /** Returns whether an operation has a solution. */
  async ask(where: Operation): Promise<boolean> {
    return this.run(async (operation, context) => {
      const { engine } = this.setting.toolbox;
      return engine.queryBoolean({ type: 'ask', input: operation } as never, context as never);
    }, where);
  }

  /**
   * Yields the solutions of an operation in batches of at most 1024; a batch is computed on demand.
   */
  async *solutions(where: Operation): AsyncGenerator<readonly Solution[]> {
    const stream = await this.run(async (operation, context) => {
      const { engine } = this.setting.toolbox;
      const bindings = await engine.queryBindings(operation as never, context as never);
      return bindings as unknown as AsyncIterator<Solution>;
    }, where);
    const inbox = new Inbox(stream);
    let rows: Solution[] = [];
    for (;;) {
      const row = stream.read();
      if (row !== null) {
        rows.push(row);
        if (rows.length < BATCH_ROWS) continue;
        yield rows;
        rows = [];
        continue;
      }
      if (inbox.error) throw evaluationError(inbox.error);
      try {
        // An abort ends the streams too; that must not look like the end of the results.
        this.pacer.check();
        if (stream.done) break;
        await this.pacer.until(inbox.change());
        this.pacer.check();
      } catch (error) {
        throw evaluationError(error);
      }
    }
    if (rows.length > 0) yield rows;
  }

  private async run<Result>(
    evaluate: (operation: Operation, context: Record<string, unknown>) => Promise<Result>,
    where: Operation,
  ): Promise<Result> {
    const { source, now, services, signal, search } = this.setting;
    this.pacer.check();
    try {
      const { toolbox } = this.setting;
      const { blankNodes } = this;
      const inner = withNow(blankNodes.innerOperation(where), now);
      const solve = (operation: Operation) => this.solve(operation);
      const searches = new Searches({ source, search, blankNodes, signal, solve });
      const searched = await this.pacer.until(searches.resolve(inner));
      const federated = await this.pacer.until(withServices(toolbox, searched, services, signal));
      return await this.comunica(evaluate, federated);
    } catch (error) {
      throw evaluationError(error);
    }
  }

  /** Returns all solutions of an operation in Comunica's terms. */
  private async solve(operation: Operation): Promise<readonly RDF.Bindings[]> {
    const { toolbox, services, signal } = this.setting;
    const federated = await withServices(toolbox, operation, services, signal);
    return this.comunica(async (expanded, context) => {
      const stream = await toolbox.engine.queryBindings(expanded as never, context as never);
      return this.pacer.until(stream.toArray()) as unknown as Promise<RDF.Bindings[]>;
    }, federated);
  }

  /** Passes an operation without services to Comunica. */
  private async comunica<Result>(
    evaluate: (operation: Operation, context: Record<string, unknown>) => Promise<Result>,
    federated: Operation,
  ): Promise<Result> {
    const { source, now, baseIri, canonicalOrder } = this.setting;
    const graphs = Array.from(source.graphs, (id) => this.blankNodes.inner(source.terms.term(id)));
    if (canonicalOrder) graphs.sort((one, other) => compareTexts(termKey(one), termKey(other)));
    const operation = new GraphExpansion(graphs).expand(federated);
    const rdfjs = new RdfjsSource(source, this.pacer, canonicalOrder);
    const context = {
      sources: [rdfjs],
      queryTimestamp: now,
      ...(baseIri === undefined ? {} : { baseIRI: baseIri }),
      [SOURCE_IDS]: new Map([[rdfjs, this.blankNodes.sourceId]]),
      // Otherwise a time without a zone would be a different instant on another machine.
      [TIME_ZONE]: { zoneHours: 0, zoneMinutes: 0 },
      [PACER]: this.pacer,
    };
    return this.pacer.until(evaluate(operation, context));
  }
}

/** Converts the events of a stream to a promise of the next one. */
class Inbox {
  error: Error | undefined;
  private readonly stream: AsyncIterator<Solution>;
  private wake: (() => void) | undefined;

  constructor(stream: AsyncIterator<Solution>) {
    this.stream = stream;
    const wake = () => this.wake?.();
    stream.on('readable', wake);
    stream.on('end', wake);
    stream.on('error', (error: Error) => {
      this.error ??= error;
      wake();
    });
  }

  change(): Promise<void> {
    if (this.error || this.stream.done || this.stream.readable) return Promise.resolve();
    return new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }
}
