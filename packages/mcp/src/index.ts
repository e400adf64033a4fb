/**
 * `@rdf-worlds/mcp`: the worlds of an engine as a server of the Model Context Protocol.
 *
 * @module @rdf-worlds/mcp
 */
export { createMcpServer, type McpServerOptions } from './create-mcp-server.ts';
export { type McpMountOptions, mcpMount } from './mcp-mount.ts';
export { refuseStdio, type StdioOptions, serveStdio } from './serve-stdio.ts';
