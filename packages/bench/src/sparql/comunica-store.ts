import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../child-run.ts';
import type { LoadInput } from '../load-input.ts';
import type { Answer, Outcome } from './answer.ts';
import type { SparqlStore } from './sparql-store.ts';

/** The requests that `comunica-child` handles, one at a time. */
export type ComunicaRequest =
  | { readonly type: 'load'; readonly bytes: Uint8Array; readonly contentType: string }
  | { readonly type: 'query'; readonly text: string }
  | { readonly type: 'update'; readonly text: string }
  | { readonly type: 'dump' }
  | { readonly type: 'countDumped' }
  | { readonly type: 'count' }
  | { readonly type: 'clean' };

export type ComunicaReply = { readonly result: Answer | number } | { readonly failure: string };

/** Heap limit of the worker thread: a million quads take most of a heap of this size. */
const MAX_HEAP_MIB = 12 * 1024;

/**
 * Comunica over n3's store, on a worker thread. Its CPU time is counted, because CPU time is that
 * of all threads. Its million objects stay out of the other stores' heap and garbage collections,
 * and a query that takes minutes can be terminated: Comunica has no cancellation, and no timer
 * fires while it produces rows.
 */
export class ComunicaStore implements SparqlStore {
  private readonly answerMs: number;
  private worker = startWorker();
  private input: LoadInput | undefined;

  private constructor(answerMs: number) {
    this.answerMs = answerMs;
  }

  /**
   * Resolves when the thread has loaded its code. Queries without an answer after `answerMs` are
   * terminated.
   */
  static async open(answerMs: number): Promise<ComunicaStore> {
    const store = new ComunicaStore(answerMs);
    await store.countQuads();
    return store;
  }

  async load(input: LoadInput): Promise<void> {
    const { bytes, contentType } = input;
    this.input = input;
    await this.ask<number>({ type: 'load', bytes, contentType });
  }

  async query(text: string): Promise<Outcome | undefined> {
    const answer = await this.ask<Answer>({ type: 'query', text }, this.answerMs);
    return answer && (() => answer);
  }

  async update(...texts: string[]): Promise<void> {
    for (const text of texts) await this.ask<number>({ type: 'update', text });
  }

  async dump(): Promise<Outcome> {
    await this.ask<number>({ type: 'dump' });
    return async () => ({ rows: (await this.ask<number>({ type: 'countDumped' }))!, chars: 0 });
  }

  async countQuads(): Promise<number> {
    return (await this.ask<number>({ type: 'count' }))!;
  }

  async clean(): Promise<void> {
    await this.ask<number>({ type: 'clean' });
  }

  async release(): Promise<void> {
    await this.worker.terminate();
  }

  /**
   * Sends a request. After `boundMs` without a reply, terminates the thread, reloads the document
   * in a new one, and resolves to undefined.
   */
  private async ask<Result extends Answer | number>(
    request: ComunicaRequest,
    boundMs?: number,
  ): Promise<Result | undefined> {
    const reply = await this.replyTo(request, boundMs);
    if (!reply) {
      await this.worker.terminate();
      this.worker = startWorker();
      if (this.input) await this.load(this.input);
      return undefined;
    }
    if ('failure' in reply) throw new Error(`Comunica: ${reply.failure}`);
    return reply.result as Result;
  }

  private async replyTo(request: ComunicaRequest, boundMs?: number): Promise<ComunicaReply | undefined> {
    const { worker } = this;
    const over = new AbortController();
    let isLate = false;
    const timer =
      boundMs &&
      setTimeout(() => {
        isLate = true;
        over.abort();
      }, boundMs);
    const ended = () => over.abort();
    worker.once('exit', ended);
    try {
      worker.postMessage(request);
      const [reply] = (await once(worker, 'message', { signal: over.signal })) as [ComunicaReply];
      return reply;
    } catch (cause) {
      if (isLate) return undefined;
      throw new Error('The thread of Comunica ended.', { cause });
    } finally {
      clearTimeout(timer);
      worker.off('exit', ended);
    }
  }
}

function startWorker(): Worker {
  return startThread('comunica-child', { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
}
