/**
 * `@rdf-worlds/client`: the worlds of a server, with the interface of an engine in the same
 * process.
 *
 * @module @rdf-worlds/client
 */
export type { Worlds } from '@rdf-worlds/core';
export { dataFactory, QuadsResult, ResultRow, SelectResult, sparql, WorldsError } from '@rdf-worlds/core/remote';
export type { RetryOptions, TokenSource, WorldsClientOptions } from './client-options.ts';
export type { ClientRequest } from './client-request.ts';
export type { FollowRequest, RemoteChange } from './follow-changes.ts';
/** For the command, which shows results while they arrive. */
export { JsonRows, type RowsBegin } from './json-rows.ts';
export { type BackupRequest, type NamespaceSize, WorldsClient } from './worlds-client.ts';
