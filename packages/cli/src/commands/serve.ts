import { WorldsEngine } from '@rdf-worlds/core';
import { type Authenticate, createWorldsHandler, type Principal } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import type { Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { DATA_OPTION, refuseDirectory } from '../durable-storage.ts';
import { GracefulServer } from '../graceful-server.ts';
import { stderrLogger } from '../stderr-logger.ts';
import { readTokens } from '../tokens-file.ts';
import { UsageError } from '../usage-error.ts';

const DEFAULT_PORT = 8080;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_NAMESPACE = 'platform';
/** How long requests may take to end after the signal to stop. */
const GRACE_MS = 5_000;

export const serve: Command = {
  name: 'serve',
  summary: 'Serve worlds over HTTP.',
  options: [
    { name: 'port', value: 'N', summary: `where to listen, 0 for any free port; ${DEFAULT_PORT} when not given` },
    { name: 'host', value: 'ADDRESS', summary: `the address to listen on; ${DEFAULT_HOST} when not given` },
    { name: 'memory', summary: 'worlds in memory, gone when the process ends; the default, and the only way for now' },
    DATA_OPTION,
    { name: 'tokens', value: 'FILE', summary: 'who may do what, see below; - for standard input' },
    { name: 'insecure-no-auth', summary: 'no tokens: whoever reaches the port may do everything' },
    {
      name: 'platform-namespace',
      value: 'NAME',
      summary: `of callers without their own; ${DEFAULT_NAMESPACE} when not given`,
    },
    { name: 'base-url', value: 'URL', summary: 'the public address, behind a proxy' },
    { name: 'verbose', summary: 'log every request, not only failures' },
  ],
  notes: [
    'FILE is a JSON array of {"token", "namespace"?, "admin"?, "grants"?}, "grants" of {"namespace", "world"?, "read"?, "write"?}.',
    'SIGTERM and SIGINT stop the server: it finishes what it is answering first; a second signal ends it at once.',
  ],
  run: runServer,
};

async function runServer(given: Arguments): Promise<void> {
  refuseDirectory(given.text('data'));
  const port = given.integer('port', { least: 0, most: 65_535 }) ?? DEFAULT_PORT;
  const host = given.text('host') ?? DEFAULT_HOST;
  const platformNamespace = given.text('platform-namespace') ?? DEFAULT_NAMESPACE;
  const authenticate = await authentication(given);
  const logger = stderrLogger({ isVerbose: given.flag('verbose') });
  const textIndex = minisearchIndex();
  const stopped = stopSignal();
  const engine = await WorldsEngine.open({ textIndex, defaultNamespace: platformNamespace, logger });
  try {
    const { server, origin } = await GracefulServer.start({ host, port }, (address) =>
      nodeListener(
        createWorldsHandler(engine, {
          ...authenticate,
          platformNamespace,
          logger,
          baseUrl: given.text('base-url') ?? address,
        }),
      ),
    );
    process.stdout.write(`Listening on ${origin}\n`);
    await stopped;
    await server.stop(GRACE_MS);
  } finally {
    await engine.close();
  }
}

const ANYBODY: Principal = { id: 'anybody', grants: [], admin: true };

async function authentication(given: Arguments): Promise<{ authenticate: Authenticate; anonymous?: Principal }> {
  const file = given.text('tokens');
  const isOpen = given.flag('insecure-no-auth');
  if (file !== undefined && isOpen) throw new UsageError('serve: --tokens and --insecure-no-auth exclude each other.');
  if (file !== undefined) return { authenticate: await readTokens(file) };
  if (!isOpen) {
    throw new UsageError(
      'serve: nobody could come in; pass --tokens FILE, or --insecure-no-auth where nobody else reaches the port.',
    );
  }
  process.stderr.write('rdf-worlds: no authentication: whoever reaches the port may do everything.\n');
  return { authenticate: () => ANYBODY, anonymous: ANYBODY };
}

/** Settles at the first SIGTERM or SIGINT; the next one ends the process, as it would without us. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
