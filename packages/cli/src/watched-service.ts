import type { ClientRequest } from '@rdf-worlds/client';
import type { Service } from './service.ts';
import { StatusLine } from './status-line.ts';

/**
 * A service that shows on a terminal what a command waits for, such as `querying, 3 s`, until the
 * answer to a request begins.
 */
export class WatchedService implements Service {
  private readonly service: Service;
  private readonly activity: string;

  constructor(service: Service, activity: string) {
    this.service = service;
    this.activity = activity;
  }

  get defaultWorld(): string | undefined {
    return this.service.defaultWorld;
  }

  async send(path: string, request?: ClientRequest): Promise<Response> {
    const status = new StatusLine(this.activity);
    return this.service.send(path, request).finally(() => status.end());
  }

  async close(): Promise<void> {
    await this.service.close();
  }
}
