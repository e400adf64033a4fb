import type { EventEmitter as NodeEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type * as RDF from '@rdfjs/types';
import { EventEmitter, itemsOf, nextTick } from '#platform';
import { WorldsError } from '../model/worlds-error.ts';
import type { WorldHandle } from './world-handle.ts';

type Term = RDF.Term | null | undefined;

/**
 * A world as an RDF/JS Store. Each change is one atomic commit; its emitter emits `end` once it is
 * visible and durable, or `error`. Blank nodes from the world keep their identity; others are new
 * nodes of the commit. The quads of a stream are collected in memory until it ends.
 */
export class WorldStore implements RDF.Store {
  private readonly world: WorldHandle;

  constructor(world: WorldHandle) {
    this.world = world;
  }

  /** Streams the quads that match, as of the call. */
  match(subject?: Term, predicate?: Term, object?: Term, graph?: Term): RDF.Stream<RDF.Quad> & Readable {
    return this.world.match(subject, predicate, object, graph);
  }

  import(stream: RDF.Stream<RDF.Quad>): NodeEmitter {
    return emitterOf(async () => this.world.write({ insert: await quadsOf(stream) }));
  }

  remove(stream: RDF.Stream<RDF.Quad>): NodeEmitter {
    return emitterOf(async () => this.world.write({ delete: await quadsOf(stream) }));
  }

  removeMatches(subject?: Term, predicate?: Term, object?: Term, graph?: Term): NodeEmitter {
    return this.remove(this.match(subject, predicate, object, graph));
  }

  /** Deletes a graph with its quads. Does nothing if the graph does not exist. */
  deleteGraph(graph: RDF.Quad_Graph | string): NodeEmitter {
    return emitterOf(async () => {
      try {
        await this.world.deleteGraph({ graph: graph as string | RDF.NamedNode });
      } catch (cause) {
        const isAbsent =
          cause instanceof WorldsError && cause.code === 'NOT_FOUND' && (await this.world.get()) !== null;
        if (!isAbsent) throw cause;
      }
    });
  }
}

/**
 * Runs work and returns an emitter for its outcome. Events are emitted after the caller could add
 * listeners.
 */
function emitterOf(work: () => Promise<unknown>): NodeEmitter {
  const emitter = new EventEmitter() as NodeEmitter;
  work().then(
    () => nextTick(() => emitter.emit('end')),
    (cause) => nextTick(() => emitter.emit('error', cause)),
  );
  return emitter;
}

/** Collects the quads of a stream, which may have only the events that RDF/JS defines. */
async function quadsOf(stream: RDF.Stream<RDF.Quad>): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const items =
    Symbol.asyncIterator in stream ? (stream as unknown as AsyncIterable<RDF.Quad>) : itemsOf<RDF.Quad>(stream);
  for await (const quad of items) quads.push(quad);
  return quads;
}
