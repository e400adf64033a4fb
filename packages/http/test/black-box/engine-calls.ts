import type { WorldsEngine } from '@rdf-worlds/core';
import type { WireJson } from './wire-json.ts';

export interface EngineCall {
  readonly method: string;
  readonly request: WireJson;
}

/**
 * An engine that does what it does, and a list of what was asked of it and of its prepared texts.
 */
export function watchEngine(engine: WorldsEngine, calls: EngineCall[]): WorldsEngine {
  return watched(engine, calls);
}

function watched<Watched extends object>(object: Watched, calls: EngineCall[]): Watched {
  return new Proxy(object, {
    get(target, name) {
      // Its private fields are the target's own, so that it has to be called as itself.
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls.push({ method: String(name), request: args[0] });
        const result = value.apply(target, args);
        return name === 'prepare' ? result.then((prepared: object) => watched(prepared, calls)) : result;
      };
    },
  });
}
