import type { AsyncIterator } from 'asynciterator';
import { asyncIteratorClass } from './async-iterator.ts';
import { type EngineWiring, PACER } from './engine-wiring.ts';
import type { Paced, Pacer } from './pacer.ts';

/**
 * Creates the class of the iterators that wrap every operation: they pass rows on, pause when
 * required, and are destroyed with the evaluation.
 */
function guardClass() {
  return class Guard extends asyncIteratorClass()<unknown> implements Paced {
    private readonly origin: AsyncIterator<unknown>;
    private readonly pacer: Pacer;
    private readonly onReadable = () => {
      this.readable = true;
    };
    private readonly onEnd = () => this.close();
    private readonly onError = (error: Error) => {
      // Without a listener, before the first one and after the end, the event would be an uncaught
      // exception and end the process.
      if (this.listenerCount('error') > 0) this.emit('error', error);
      else this.pacer.fail(error);
    };

    constructor(origin: AsyncIterator<unknown>, pacer: Pacer) {
      super();
      this.origin = origin;
      this.pacer = pacer;
      if (origin.done) {
        this.close();
        return;
      }
      origin.on('readable', this.onReadable);
      origin.on('end', this.onEnd);
      origin.on('error', this.onError);
      this.readable = origin.readable;
      pacer.add(this);
    }

    override read(): unknown {
      if (this.done) return null;
      if (this.pacer.step()) {
        this.readable = false;
        this.pacer.rest(this);
        return null;
      }
      const item = this.origin.read();
      if (item !== null) return item;
      this.readable = false;
      if (this.origin.done) this.close();
      return null;
    }

    resume(): void {
      this.readable = true;
    }

    protected override _end(destroy?: boolean): void {
      this.pacer.delete(this);
      this.origin.removeListener('readable', this.onReadable);
      this.origin.removeListener('end', this.onEnd);
      // The error listener stays: without it, a late error of the origin would be an uncaught
      // exception.
      this.origin.destroy();
      super._end(destroy);
    }
  };
}

/**
 * Wraps every operation that this engine evaluates in a guard. Comunica has no cancellation: once
 * started, its joins, groups and sorts run to completion.
 */
export function guardOperations({ operations }: EngineWiring): void {
  const Guard = guardClass();
  const mediate = operations.mediate.bind(operations);
  operations.mediate = async (action) => {
    const pacer = action.context.get({ name: PACER }) as Pacer | undefined;
    pacer?.check();
    const output = await mediate(action);
    if (pacer && output.bindingsStream) output.bindingsStream = new Guard(output.bindingsStream, pacer);
    return output;
  };
}
