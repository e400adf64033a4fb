import type { WorldsEngine } from '@rdf-worlds/core';
import type { HandlerSettings } from '../handler-options.ts';
import { AuditLog } from './audit-log.ts';
import { RequestLog } from './request-log.ts';
import type { RequestObserver } from './request-observer.ts';
import { SlowQueries } from './slow-queries.ts';

/** Who is told of the requests of a handler, by its options. */
export function observersOf(settings: HandlerSettings, engine: Promise<WorldsEngine>): readonly RequestObserver[] {
  const { logger, auditLog, slowQueries, metrics, tracing } = settings;
  metrics?.observe(engine);
  return [
    ...(logger ? [new RequestLog(logger)] : []),
    ...(auditLog ? [new AuditLog(auditLog)] : []),
    ...(metrics ? [metrics] : []),
    ...(tracing ? [tracing] : []),
    ...(logger && slowQueries ? [new SlowQueries(logger, engine, slowQueries)] : []),
  ];
}
