import type { Logger } from '@rdf-worlds/core';
import type { RequestObserver } from './request-observer.ts';
import type { RequestRecord } from './request-record.ts';

/** Logs each request at `debug`. */
export class RequestLog implements RequestObserver {
  private readonly logger: Logger;

  constructor(logger: Logger) {
    this.logger = logger;
  }

  ended({ details }: RequestRecord): void {
    this.logger.debug(details, 'request');
  }
}
