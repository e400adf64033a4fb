import { workerThreads } from '#platform';
import { throwIfAborted } from '../../../model/worlds-error.ts';
import { type CountedTexts, LEARN_FUNCTIONS, type LearnOptions, type LearntTerms, learnTerms } from './learn-terms.ts';
import { SVD_FUNCTIONS, truncatedSvd } from './truncated-svd.ts';

type Message =
  | { readonly share: number }
  | { readonly learnt: LearntTerms }
  | { readonly failed: { readonly message: string; readonly stack: string | undefined } };

/**
 * Returns the worker's source: the functions themselves as text. No separate file is needed that a
 * bundler would have to know, so sources, builds and bundles run the same code.
 */
function workerSource(): string {
  return [
    "const { parentPort, workerData } = require('node:worker_threads');",
    // Some compilers wrap functions in a helper that preserves their names.
    'const __name = (value) => value;',
    ...[...LEARN_FUNCTIONS, ...SVD_FUNCTIONS].map(String),
    `const learn = ${learnTerms.name}(workerData.counted, workerData.options, ${truncatedSvd.name});`,
    `let told = 0;
     try {
       for (let step = learn.next(); ; step = learn.next()) {
         if (step.done) {
           parentPort.postMessage({ learnt: step.value });
           break;
         }
         if (Date.now() - told < 50) continue;
         told = Date.now();
         parentPort.postMessage({ share: step.value });
       }
     } catch (error) {
       parentPort.postMessage({ failed: { message: String(error && error.message), stack: error && error.stack } });
     }`,
  ].join('\n');
}

/**
 * Trains in a worker thread. Returns undefined if there are no threads or they cannot run the
 * source; the caller must then train in its own thread. Throws ABORTED when the signal fires, which
 * terminates the thread.
 */
export async function learnInWorker(
  counted: CountedTexts,
  options: LearnOptions,
  { signal, onProgress }: { signal: AbortSignal | undefined; onProgress: (share: number) => void },
): Promise<LearntTerms | undefined> {
  throwIfAborted(signal);
  let Worker: Awaited<ReturnType<typeof workerThreads>>;
  try {
    Worker = await workerThreads();
  } catch {
    // Runtimes without this module fail in different ways; in all cases the caller can do the work.
    return undefined;
  }
  if (!Worker) return undefined;
  throwIfAborted(signal);
  let worker: InstanceType<typeof Worker>;
  try {
    worker = new Worker(workerSource(), { eval: true, execArgv: [], workerData: { counted, options } });
  } catch {
    // Threads are forbidden or exhausted.
    return undefined;
  }
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<LearntTerms | undefined>((resolve, reject) => {
      onAbort = () => reject(signal!.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      worker.on('message', (message: Message) => {
        if ('share' in message) onProgress(message.share);
        else if ('learnt' in message) resolve(message.learnt);
        // The compiler made the functions depend on their surroundings, or the worker ran out of
        // memory. Training in the caller's thread reports the actual error.
        else resolve(undefined);
      });
      worker.on('error', () => resolve(undefined));
      worker.on('exit', () => resolve(undefined));
    });
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
