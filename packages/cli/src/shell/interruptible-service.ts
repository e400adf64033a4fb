import type { ClientRequest } from '@rdf-worlds/client';
import type { Service } from '../service.ts';

/** A service whose requests the user can cancel. */
export class InterruptibleService implements Service {
  private readonly service: Service;
  private controller: AbortController | undefined;

  constructor(service: Service) {
    this.service = service;
  }

  get defaultWorld(): string | undefined {
    return this.service.defaultWorld;
  }

  /** True if the current or most recent work was interrupted. */
  wasInterrupted = false;

  /** True if the current or most recent work has sent a request. */
  wasAsked = false;

  /** Runs work whose requests {@link interrupt} can cancel. */
  async interruptibly(work: () => Promise<void>): Promise<void> {
    this.controller = new AbortController();
    this.wasInterrupted = false;
    this.wasAsked = false;
    try {
      await work();
    } finally {
      this.controller = undefined;
    }
  }

  /** Cancels the requests of the current work. Returns false if there is none. */
  interrupt(): boolean {
    if (!this.controller) return false;
    this.wasInterrupted = true;
    this.controller.abort();
    return true;
  }

  send(path: string, request: ClientRequest = {}): Promise<Response> {
    this.wasAsked = true;
    return this.service.send(path, { ...request, signal: request.signal ?? this.controller?.signal });
  }

  async close(): Promise<void> {
    await this.service.close();
  }
}
