import { type FeedbackOptions, type FieldOptions, type Logger, WorldsEngine } from '@rdf-worlds/core';
import {
  anyOf,
  createWorldsHandler,
  isLoopback,
  type Principal,
  type ServiceMount,
  type ServicePages,
  type WorldsHandlerOptions,
} from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { Option } from 'commander';
import type { Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { CONTEXT_OPTIONS, givenContexts } from '../document-options.ts';
import { isDurable, openDurable, TAKE_OVER_OPTION } from '../durable-storage.ts';
import { EMBEDDER_OPTION, givenEmbedder } from '../embedder-option.ts';
import { ENGINE_OPTIONS, givenEngineOptions } from '../engine-options.ts';
import { GracefulServer } from '../graceful-server.ts';
import { JWT_OPTIONS, jwtOf } from '../jwt-options.ts';
import { givenLimits, LIMIT_OPTIONS } from '../limit-options.ts';
import { LOG_OPTIONS, openLogs } from '../log-options.ts';
import { METRICS_OPTIONS, openMetrics } from '../metrics-options.ts';
import { integer } from '../option-value.ts';
import { SERVED_DATA_OPTION, SERVED_STORAGE_OPTION } from '../place.ts';
import { QuotasFile } from '../quotas-file.ts';
import { givenRateLimit, RATE_OPTIONS } from '../rate-options.ts';
import { COMPAT_CHOICES, type CompatServer, DEFAULT_WORLD } from '../reference-server.ts';
import { settingOption } from '../search-setting.ts';
import { stderrLogger } from '../stderr-logger.ts';
import { stopSignal } from '../stop-signal.ts';
import { TokensFile } from '../tokens-file.ts';
import { openTracing, TRACING_OPTION } from '../tracing-option.ts';
import { UsageError } from '../usage-error.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve worlds over HTTP.',
  options: [
    new Option('--config <FILE>', 'read options from a JSON file, see below'),
    new Option('--port <N>', 'the port to listen on; 0 picks a free port').argParser(integer(0, 65_535)).default(8080),
    new Option('--host <ADDRESS>', 'the address to listen on').default('127.0.0.1'),
    SERVED_DATA_OPTION,
    TAKE_OVER_OPTION,
    SERVED_STORAGE_OPTION,
    new Option(
      '--memory',
      'keep worlds in memory only, as without --data and --storage; they are lost when the process ends',
    ),
    new Option('--tokens <FILE>', 'tokens and their permissions, see below; - for standard input').conflicts(
      'insecureNoAuth',
    ),
    ...JWT_OPTIONS,
    new Option(
      '--insecure-no-auth',
      'no tokens: every program on this machine has full access; only on a loopback address, and not for pages of other origins',
    ),
    new Option('--platform-namespace <NAME>', 'the namespace of callers without their own').default('platform'),
    new Option('--mcp', 'also serve the Model Context Protocol, for agents, at /mcp'),
    new Option(
      '--compat <SERVER>',
      'with --mcp: offer the tools of another server instead: memory, the reference memory server',
    ).choices(COMPAT_CHOICES),
    new Option('--without-console', 'do not serve the console, a page for browsers, at /console'),
    new Option('--base-url <URL>', 'the public address, behind a proxy'),
    settingOption('fields', 'index labels and local names, and match words in them unless a search overrides it'),
    settingOption('feedback', 'expand queries with words of the best hits unless a search overrides it'),
    EMBEDDER_OPTION,
    ...LOG_OPTIONS,
    ...METRICS_OPTIONS,
    TRACING_OPTION,
    new Option('--quotas <FILE>', 'quotas of namespaces and worlds, see below'),
    ...CONTEXT_OPTIONS,
    new Option('--grace-ms <N>', 'milliseconds that running requests may take to finish after the signal to stop')
      .argParser(integer(0, 2 ** 31 - 1))
      .default(5_000),
    ...RATE_OPTIONS,
    ...LIMIT_OPTIONS,
    ...ENGINE_OPTIONS,
  ],
  notes: [
    'The FILE of --tokens is a JSON array of {"token", "id"?, "namespace"?, "admin"?, "grants"?, "weight"?, "expiresAt"?}, with "grants" of {"namespace", "world"?, "read"?, "write"?}.',
    'The FILE of --config is a JSON object of options in camel case, such as {"port": 8080, "maxBodyBytes": 65536}; the command line takes precedence.',
    'A token has at least 16 characters, or is sha256: followed by its hash. The file is reloaded when it changes.',
    'The URL of --storage is postgres://USER@HOST/DATABASE; its parameters schema and connection_limit are of the command. It requires the packages @rdf-worlds/storage-postgres and pg.',
    '/metrics requires admin; on the port of --metrics-port it requires no credentials.',
    'The FILE of --quotas is a JSON object of {"namespace"?, "world"?, "namespaces"?}: quotas of each namespace ("quads", "bytes", "worlds", "diskBytes") and of each world ("quads", "bytes"); "namespaces" overrides them by name. The file is reloaded when it changes.',
    `The tools of --compat use the world ${DEFAULT_WORLD} of the caller's namespace, which the first call of a caller who may write it creates.`,
    'SIGTERM and SIGINT stop the server after it has finished its running requests; a second signal ends it immediately.',
  ],
  run: runServer,
};

async function runServer(given: Arguments): Promise<void> {
  const port = given.integer('port')!;
  const host = given.text('host')!;
  const platformNamespace = given.text('platform-namespace');
  const logger = stderrLogger({ isVerbose: given.flag('verbose') });
  const compat = given.text('compat') as CompatServer | undefined;
  if (compat !== undefined && !given.flag('mcp'))
    throw new UsageError('serve: --compat says which tools --mcp offers; pass --mcp with it.');
  const authentication = await authenticationOf(given, host, logger);
  const limits = givenLimits(given);
  const documentLoader = givenContexts(given);
  const rateLimit = givenRateLimit(given);
  const logs = openLogs(given, logger);
  const metrics = await openMetrics(given);
  const tracing = await openTracing(given);
  const quotasPath = given.text('quotas');
  const quotas = quotasPath === undefined ? undefined : await QuotasFile.open(quotasPath, logger);
  const stopped = stopSignal();
  const stopping = new AbortController();
  const options = {
    ...givenEngineOptions(given),
    defaultNamespace: platformNamespace,
    logger,
    fields: given.setting('fields') as FieldOptions | undefined,
    feedback: given.setting('feedback') as boolean | FeedbackOptions | undefined,
    embedder: await givenEmbedder(given),
    quotas: quotas?.policy,
    documentLoader,
  };
  const mounts = given.flag('mcp') ? [await mcpMountOf(compat, logger)] : [];
  const pages = given.flag('without-console') ? [] : await consoleOf(logger);
  const engine = isDurable(given)
    ? await openDurable(given, { mustExist: false }, options)
    : await WorldsEngine.open(options);
  try {
    const { server, origin } = await GracefulServer.start({ host, port, limits }, (address) =>
      nodeListener(
        createWorldsHandler(engine, {
          ...authentication,
          platformNamespace,
          limits,
          logger,
          ...logs.options,
          metrics: metrics.metrics,
          tracing,
          rateLimit,
          probes: true,
          mounts,
          stopping: stopping.signal,
          pages,
          baseUrl: given.text('base-url') ?? address,
        }),
      ),
    );
    process.stdout.write(`Listening on ${origin}\n`);
    if (pages.length > 0) process.stdout.write(`Console at ${origin}/console/\n`);
    if (given.flag('mcp')) process.stdout.write(`MCP at ${origin}/mcp\n`);
    await stopped;
    stopping.abort();
    await server.stop(given.integer('grace-ms')!);
  } finally {
    await engine.close();
    logs.close();
    quotas?.close();
    await metrics.close();
  }
}

/** Returns the mount of `--mcp`. The tools of `--compat` name no world: it is one of the caller. */
async function mcpMountOf(compat: CompatServer | undefined, logger: Logger): Promise<ServiceMount> {
  // Loaded here, so that other commands start without it.
  const { mcpMount } = await import('@rdf-worlds/mcp');
  if (compat === undefined) return mcpMount({ logger });
  return mcpMount({ logger, compat, defaultWorld: DEFAULT_WORLD, createDefaultWorld: true });
}

/** Returns the console; nothing in a checkout where its app is not built. */
async function consoleOf(logger: Logger): Promise<readonly ServicePages[]> {
  const { consolePages } = await import('@rdf-worlds/console');
  try {
    return [consolePages()];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    logger.debug({ err: error }, 'the console is not built: run npm run build');
    return [];
  }
}

const ANYBODY: Principal = { id: 'anybody', grants: [], admin: true };

type Authentication = Pick<WorldsHandlerOptions, 'authenticate' | 'anonymous' | 'loopbackOnly'>;

async function authenticationOf(given: Arguments, host: string, logger: Logger): Promise<Authentication> {
  const file = given.text('tokens');
  const byJwt = await jwtOf(given);
  const ways = file === undefined ? [] : [(await TokensFile.open(file, logger)).authenticate];
  if (byJwt) ways.push(byJwt);
  if (ways.length > 0 && given.flag('insecure-no-auth'))
    throw new UsageError('--insecure-no-auth cannot be combined with tokens; omit one of the two.');
  if (ways.length > 0) return { authenticate: ways.length === 1 ? ways[0] : anyOf(...ways) };
  if (!given.flag('insecure-no-auth')) {
    throw new UsageError(
      'serve: no caller could authenticate; pass --tokens FILE, --jwt-issuer with its options, or --insecure-no-auth if nobody else can reach the port.',
    );
  }
  if (!isLoopback(host)) {
    throw new UsageError('--insecure-no-auth requires a loopback address: omit --host, or pass --tokens FILE.');
  }
  process.stderr.write('rdf-worlds: no authentication: every program on this machine has full access.\n');
  return { authenticate: () => ANYBODY, anonymous: ANYBODY, loopbackOnly: true };
}
