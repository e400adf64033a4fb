import { maskedQuery } from './masked-query.ts';
import type { RequestObserver } from './request-observer.ts';
import { known, type RequestRecord } from './request-record.ts';

/** Slow queries that are kept. */
const MAX_SLOW = 50;
/** How long they are kept. */
const KEPT_MS = 3_600_000;
/** Running requests that are reported, those that have run longest. */
const MAX_RUNNING = 200;
/** Code units of a text. */
const MAX_QUERY_LENGTH = 1_000;

/** A request as an admin sees it: no token, no body, and a text without its literals. */
export interface RequestReport {
  readonly requestId: string;
  readonly operation?: string;
  readonly principal?: string;
  readonly namespace?: string;
  readonly worlds?: readonly string[];
  readonly status?: number;
  readonly code?: string;
  readonly outcome?: string;
  /** Solutions, triples, hits or changed quads so far. */
  readonly rows?: number;
  readonly bytes?: number;
  readonly durationMs: number;
  /** The part of `durationMs` not spent waiting for the client. */
  readonly workMs?: number;
  readonly query?: string;
}

/** A slow query, and when it ended. */
export interface SlowReport extends RequestReport {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

interface KeptSlow {
  readonly report: SlowReport;
  readonly workMs: number;
}

/** The requests that are running, and the slowest queries of the last hour. */
export class Activity implements RequestObserver {
  /**
   * In no order; each record has its place, because constant changes make a Set grow and shrink.
   */
  private readonly open: RequestRecord[] = [];
  /** Slowest first. */
  private slow: KeptSlow[] = [];

  begun(record: RequestRecord): void {
    record.place = this.open.length;
    this.open.push(record);
  }

  ended(record: RequestRecord): void {
    this.close(record);
    const { query, workMs } = record;
    // Queries refused with 403 tell nothing of what is slow.
    if (!query || record.status === 403) return;
    const now = Date.now();
    const { slow } = this;
    if (
      slow.length === MAX_SLOW &&
      workMs <= slow[MAX_SLOW - 1].workMs &&
      slow[MAX_SLOW - 1].report.endedAt > now - KEPT_MS
    )
      return;
    const place = slow.findIndex((one) => one.workMs < workMs);
    slow.splice(place < 0 ? slow.length : place, 0, { workMs, report: { ...reportOf(record, false), endedAt: now } });
    this.forgetOld(now);
  }

  /** Requests that are running, longest first, without the one that asks. */
  running(asking: RequestRecord): readonly RequestReport[] {
    const others = this.open.filter((record) => record !== asking && record.operation !== undefined);
    return others
      .sort((a, b) => a.startedMs - b.startedMs)
      .slice(0, MAX_RUNNING)
      .map((record) => reportOf(record, true));
  }

  /** The slowest queries of the last hour, slowest first. */
  slowest(): readonly SlowReport[] {
    this.forgetOld(Date.now());
    return this.slow.map(({ report }) => report);
  }

  private close(record: RequestRecord): void {
    const { place } = record;
    if (this.open[place] !== record) return;
    const last = this.open.pop()!;
    if (last === record) return;
    last.place = place;
    this.open[place] = last;
  }

  private forgetOld(now: number): void {
    this.slow = this.slow.filter(({ report }) => report.endedAt > now - KEPT_MS).slice(0, MAX_SLOW);
  }
}

function reportOf(record: RequestRecord, isRunning: boolean): RequestReport {
  const { requestId, operation, principal, namespace, worlds, status, code, outcome, rows, bytes, query } = record;
  return known({
    requestId,
    operation,
    principal,
    namespace,
    worlds: worlds.length > 0 ? worlds : undefined,
    status: isRunning ? undefined : status,
    code,
    outcome: isRunning || outcome === 'complete' ? undefined : outcome,
    rows,
    bytes: isRunning ? undefined : bytes,
    durationMs: rounded(isRunning ? performance.now() - record.startedMs : record.durationMs),
    workMs: isRunning ? undefined : rounded(record.workMs),
    query: query && shortened(maskedQuery(query.text)),
  });
}

function shortened(text: string): string {
  return text.length > MAX_QUERY_LENGTH ? `${text.slice(0, MAX_QUERY_LENGTH).toWellFormed()} ...` : text;
}

/** To microseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
