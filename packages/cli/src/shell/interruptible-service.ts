import type { Service, ServiceRequest } from '../service.ts';

/** A service whose requests end when the user says so. */
export class InterruptibleService implements Service {
  private readonly service: Service;
  private controller: AbortController | undefined;

  constructor(service: Service) {
    this.service = service;
  }

  get defaultWorld(): string | undefined {
    return this.service.defaultWorld;
  }

  /** Whether the work that was done last, or is being done, was to end. */
  wasInterrupted = false;

  /** Whether the work that was done last has sent a request. */
  wasAsked = false;

  /** Works; meanwhile {@link interrupt} ends the requests. */
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

  /** Ends the requests of the work that is being done. False: there is none. */
  interrupt(): boolean {
    if (!this.controller) return false;
    this.wasInterrupted = true;
    this.controller.abort();
    return true;
  }

  send(path: string, request: ServiceRequest = {}): Promise<Response> {
    this.wasAsked = true;
    return this.service.send(path, { ...request, signal: request.signal ?? this.controller?.signal });
  }

  async close(): Promise<void> {
    await this.service.close();
  }
}
