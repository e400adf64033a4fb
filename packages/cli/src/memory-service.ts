import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, type Principal, type WorldsHandler } from '@rdf-worlds/http';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { ProgressBar } from './progress-bar.ts';
import type { RdfInput } from './rdf-input.ts';
import type { Service, ServiceRequest } from './service.ts';
import { succeeded } from './succeeded.ts';
import type { WorldName } from './world-name.ts';

const OWNER: Principal = { id: 'owner', grants: [], admin: true };
const NAMESPACE = 'default';
/** Whoever runs the command may wait, and stop it; a timer cannot be set for longer. */
const NO_LIMITS = {
  maxBodyBytes: Number.POSITIVE_INFINITY,
  maxImportBytes: Number.POSITIVE_INFINITY,
  timeoutMs: 2 ** 31 - 1,
  maxRows: Number.MAX_SAFE_INTEGER,
};

/** An engine in memory that lives for one command, with one world of some files; asked through the same interface as a server. */
export class MemoryService implements Service {
  readonly defaultWorld: string;
  private readonly engine: WorldsEngine;
  private readonly handler: WorldsHandler;

  private constructor(engine: WorldsEngine, defaultWorld: string) {
    this.engine = engine;
    this.defaultWorld = defaultWorld;
    this.handler = createWorldsHandler(engine, {
      authenticate: () => OWNER,
      anonymous: OWNER,
      platformNamespace: NAMESPACE,
      limits: NO_LIMITS,
    });
  }

  /** Throws what the import of a file throws, with the file's name before it. */
  static async open({ slug, namespace = NAMESPACE }: WorldName, inputs: readonly RdfInput[]): Promise<MemoryService> {
    const engine = await WorldsEngine.open({ textIndex: minisearchIndex(), defaultNamespace: NAMESPACE });
    try {
      const source = await engine.createWorld({ slug, namespace });
      for (const input of inputs) {
        const { name, contentType, size } = input;
        const progress = new ProgressBar(name, size);
        await engine
          .import({ source, contentType, data: input.bytes(), onProgress: ({ bytes }) => progress.show(bytes) })
          .catch((cause) => {
            throw new Error(`${name}: ${cause.message}`, { cause });
          })
          .finally(() => progress.end());
      }
      return new MemoryService(engine, `${source.namespace}/${source.slug}`);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async send(path: string, { method, headers, body, alsoFine }: ServiceRequest = {}): Promise<Response> {
    const request = new Request(`http://localhost${path}`, { method, headers, body, duplex: 'half' });
    return succeeded(await this.handler(request), alsoFine);
  }

  async close(): Promise<void> {
    await this.engine.close();
  }
}
