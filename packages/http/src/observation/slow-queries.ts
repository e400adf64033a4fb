import { createHash } from 'node:crypto';
import type { Logger, PlanNode, WorldsEngine } from '@rdf-worlds/core';
import { assignCaller } from '@rdf-worlds/core/internal';
import { maskedLiterals, maskedQuery } from './masked-query.ts';
import type { RequestObserver } from './request-observer.ts';
import type { RecordedQuery, RequestRecord } from './request-record.ts';

/** Maximum number of code units of the query text in an entry. */
const MAX_QUERY_LENGTH = 4_096;
/** Maximum number of operators of a plan in an entry, and of code units per operator. */
const MAX_OPERATORS = 60;
const MAX_DETAIL_LENGTH = 200;
/** Time limit for recomputing a plan. */
const PLAN_MS = 1_000;

/** Which queries are logged as slow, and what the entries show. */
export interface SlowQueryOptions {
  /**
   * Logs queries and updates that take at least this many milliseconds of work, not counting time
   * spent waiting for the client.
   */
  readonly thresholdMs: number;
  /**
   * Whether entries show the strings and numbers of the text, which are data; by default, each is
   * replaced by `?`.
   */
  readonly literals?: boolean | undefined;
}

/**
 * Logs each slow query at `warn`: its text, a fingerprint of the text without literals, and its
 * plan. The plan is recomputed for the log, in the caller's share of the event loop and for one
 * query at a time; slow queries that end meanwhile are logged without one.
 */
export class SlowQueries implements RequestObserver {
  private readonly logger: Logger;
  private readonly engine: Promise<WorldsEngine>;
  private readonly options: SlowQueryOptions;
  private isPlanning = false;

  constructor(logger: Logger, engine: Promise<WorldsEngine>, options: SlowQueryOptions) {
    this.logger = logger;
    this.engine = engine;
    this.options = options;
  }

  ended(record: RequestRecord): void {
    const { query, workMs } = record;
    // Queries refused with 403 are not logged.
    if (!query || workMs < this.options.thresholdMs || record.status === 403) return;
    if (this.isPlanning || record.status === 400) this.tell(record, query, undefined);
    else void this.tellWithPlan(record, query);
  }

  private async tellWithPlan(record: RequestRecord, query: RecordedQuery): Promise<void> {
    this.isPlanning = true;
    let plan: string;
    try {
      const signal = AbortSignal.timeout(PLAN_MS);
      if (record.access) assignCaller(signal, record.access.caller);
      const engine = await this.engine;
      const explained = await engine.explain({ query: query.text, sources: query.sources, signal });
      plan = planText(explained.plan, this.options.literals ?? false);
    } catch (error) {
      // The world may have been deleted; the entry says why the plan is missing.
      plan = `none: ${maskedLiterals((error as Error).message)}`;
    } finally {
      this.isPlanning = false;
    }
    this.tell(record, query, plan);
  }

  private tell(record: RequestRecord, { text }: RecordedQuery, plan: string | undefined): void {
    const masked = maskedQuery(text);
    const shown = this.options.literals ? text : masked;
    const fingerprint = createHash('sha256').update(masked).digest('hex').slice(0, 16);
    const cut = shown.length > MAX_QUERY_LENGTH ? `${shown.slice(0, MAX_QUERY_LENGTH)} ...` : shown;
    this.logger.warn({ ...record.details, queryLength: text.length, fingerprint, query: cut, plan }, 'slow query');
  }
}

/** Formats a plan as one line per operator, indented below the operator that consumes its rows. */
function planText(root: PlanNode, literals: boolean): string {
  const lines: string[] = [];
  const add = ({ operator, detail, estimatedRows, inputs }: PlanNode, depth: number): void => {
    if (lines.length >= MAX_OPERATORS) return;
    const about = literals ? detail : maskedLiterals(detail);
    const cut = about.length > MAX_DETAIL_LENGTH ? `${about.slice(0, MAX_DETAIL_LENGTH)} ...` : about;
    lines.push(`${'  '.repeat(depth)}${operator}${cut && ` ${cut}`} ~${Math.round(estimatedRows)}`);
    for (const input of inputs) add(input, depth + 1);
  };
  add(root, 0);
  return lines.join('\n');
}
