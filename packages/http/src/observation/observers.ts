import type { WorldsEngine } from '@rdf-worlds/core';
import type { HandlerSettings } from '../handler-options.ts';
import { AuditLog } from './audit-log.ts';
import { RequestLog } from './request-log.ts';
import type { RequestObserver } from './request-observer.ts';
import type { ServiceQueues } from './service-metrics.ts';
import { SlowQueries } from './slow-queries.ts';

/** Returns the request observers that the options enable. */
export function observersOf(
  settings: HandlerSettings,
  engine: Promise<WorldsEngine>,
  queues: ServiceQueues,
): readonly RequestObserver[] {
  const { logger, auditLog, slowQueries, metrics, tracing } = settings;
  metrics?.observe(engine, queues);
  return [
    ...(logger ? [new RequestLog(logger)] : []),
    ...(auditLog ? [new AuditLog(auditLog)] : []),
    ...(metrics ? [metrics] : []),
    ...(tracing ? [tracing] : []),
    ...(logger && slowQueries ? [new SlowQueries(logger, engine, slowQueries)] : []),
  ];
}
