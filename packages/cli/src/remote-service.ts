import { type ClientRequest, WorldsClient } from '@rdf-worlds/client';
import { CLIENT_SETTINGS } from './client-settings.ts';
import type { Service } from './service.ts';
import { UsageError } from './usage-error.ts';

/** A service on a running server. */
export class RemoteService implements Service {
  readonly defaultWorld = undefined;
  private readonly client: WorldsClient;

  /** Throws `UsageError` if the URL is not an http or https address. */
  constructor(url: string, token: string | undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new UsageError(`--url: expected a URL such as http://127.0.0.1:8080, found ${JSON.stringify(url)}.`);
    }
    this.client = new WorldsClient({ url, token, ...CLIENT_SETTINGS });
  }

  send(path: string, request?: ClientRequest): Promise<Response> {
    return this.client.request(path, request);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
