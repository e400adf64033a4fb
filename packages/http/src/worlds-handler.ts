import type { WorldsEngine } from '@rdf-worlds/core';
import { FetchIncoming } from './fetch-incoming.ts';
import { toResponse } from './fetch-response.ts';
import type { WorldsHandlerOptions } from './handler-options.ts';
import { WorldsService } from './worlds-service.ts';

/** Answers one request. Never rejects. */
export type WorldsHandler = (request: Request) => Promise<Response>;

/** What stands behind a handler, for mounts that need no Request and Response. */
const SERVICES = new WeakMap<WorldsHandler, WorldsService>();

/**
 * The service as a function from Request to Response, for anything that speaks the Fetch standard:
 * Hono, Bun, Deno, route handlers of Next. For `node:http` see `@rdf-worlds/http/node`, for Express
 * `@rdf-worlds/http/express`. The engine may still be opening. Throws INVALID_ARGUMENT for options
 * that cannot be meant.
 */
export function createWorldsHandler(
  engine: WorldsEngine | Promise<WorldsEngine>,
  options: WorldsHandlerOptions,
): WorldsHandler {
  const service = new WorldsService(engine, options);
  const handler: WorldsHandler = async (request) => toResponse(await service.answer(new FetchIncoming(request)));
  SERVICES.set(handler, service);
  return handler;
}

/** The service behind a handler; undefined for a function that is none of ours. */
export function serviceOf(handler: WorldsHandler): WorldsService | undefined {
  return SERVICES.get(handler);
}
