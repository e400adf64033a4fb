import { type FeedbackOptions, type FieldOptions, type Logger, WorldsEngine } from '@rdf-worlds/core';
import { anyOf, createWorldsHandler, isLoopback, type Principal, type WorldsHandlerOptions } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { Option } from 'commander';
import type { Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { directoryOf, openDirectory, TAKE_OVER_OPTION } from '../durable-storage.ts';
import { ENGINE_OPTIONS, givenEngineOptions } from '../engine-options.ts';
import { GracefulServer } from '../graceful-server.ts';
import { JWT_OPTIONS, jwtOf } from '../jwt-options.ts';
import { givenLimits, LIMIT_OPTIONS } from '../limit-options.ts';
import { LOG_OPTIONS, openLogs } from '../log-options.ts';
import { METRICS_OPTIONS, openMetrics } from '../metrics-options.ts';
import { integer } from '../option-value.ts';
import { SERVED_DATA_OPTION } from '../place.ts';
import { quotasFile } from '../quotas-file.ts';
import { givenRateLimit, RATE_OPTIONS } from '../rate-options.ts';
import { settingOption } from '../search-setting.ts';
import { stderrLogger } from '../stderr-logger.ts';
import { TokensFile } from '../tokens-file.ts';
import { openTracing, TRACING_OPTION } from '../tracing-option.ts';
import { UsageError } from '../usage-error.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve worlds over HTTP.',
  options: [
    new Option('--config <FILE>', 'take options from a JSON object too, see below'),
    new Option('--port <N>', 'where to listen, 0 for any free port').argParser(integer(0, 65_535)).default(8080),
    new Option('--host <ADDRESS>', 'the address to listen on').default('127.0.0.1'),
    SERVED_DATA_OPTION,
    TAKE_OVER_OPTION,
    new Option('--memory', 'worlds in memory, gone when the process ends; so it is without --data, too'),
    new Option('--tokens <FILE>', 'who may do what, see below; - for standard input').conflicts('insecureNoAuth'),
    ...JWT_OPTIONS,
    new Option(
      '--insecure-no-auth',
      'no tokens: every program of this machine may do everything; only on the loopback, and not for pages of other origins',
    ),
    new Option('--platform-namespace <NAME>', 'of callers without their own').default('platform'),
    new Option('--base-url <URL>', 'the public address, behind a proxy'),
    settingOption(
      'fields',
      'index the names around texts for searches, which find words there unless they say otherwise',
    ),
    settingOption(
      'feedback',
      'whether searches let the best hits tell what else to look for, unless they say otherwise',
    ),
    ...LOG_OPTIONS,
    ...METRICS_OPTIONS,
    TRACING_OPTION,
    new Option('--quotas <FILE>', 'how much namespaces and worlds may hold, see below'),
    new Option('--grace-ms <N>', 'milliseconds that requests may take to end after the signal to stop')
      .argParser(integer(0, 2 ** 31 - 1))
      .default(5_000),
    ...RATE_OPTIONS,
    ...LIMIT_OPTIONS,
    ...ENGINE_OPTIONS,
  ],
  notes: [
    'FILE is a JSON array of {"token", "id"?, "namespace"?, "admin"?, "grants"?, "expiresAt"?}, "grants" of {"namespace", "world"?, "read"?, "write"?}.',
    'The object of --config has options in camel case, such as {"port": 8080, "maxBodyBytes": 65536}; the command line wins.',
    'A token has 16 characters or more, or is sha256: and its hash. The file is read again when it changes.',
    '/metrics answers callers with admin; on the port of --metrics-port it answers everybody.',
    'The FILE of --quotas is a JSON object of {"namespace"?, "world"?, "namespaces"?}: quotas of each namespace - "quads", "bytes", "worlds", "diskBytes" - and of each world - "quads", "bytes" -, and by name those of other namespaces.',
    'SIGTERM and SIGINT stop the server: it finishes what it is answering first; a second signal ends it at once.',
  ],
  run: runServer,
};

async function runServer(given: Arguments): Promise<void> {
  const port = given.integer('port')!;
  const host = given.text('host')!;
  const platformNamespace = given.text('platform-namespace');
  const logger = stderrLogger({ isVerbose: given.flag('verbose') });
  const authentication = await authenticationOf(given, host, logger);
  const limits = givenLimits(given);
  const rateLimit = givenRateLimit(given);
  const logs = openLogs(given, logger);
  const metrics = await openMetrics(given);
  const tracing = await openTracing(given);
  const quotas = given.text('quotas');
  const stopped = stopSignal();
  const options = {
    ...givenEngineOptions(given),
    defaultNamespace: platformNamespace,
    logger,
    fields: given.setting('fields') as FieldOptions | undefined,
    feedback: given.setting('feedback') as boolean | FeedbackOptions | undefined,
    quotas: quotas === undefined ? undefined : await quotasFile(quotas),
  };
  const isDurable = directoryOf(given) !== undefined;
  const engine = isDurable ? await openDirectory(given, options) : await WorldsEngine.open(options);
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
          baseUrl: given.text('base-url') ?? address,
        }),
      ),
    );
    process.stdout.write(`Listening on ${origin}\n`);
    await stopped;
    await server.stop(given.integer('grace-ms')!);
  } finally {
    await engine.close();
    logs.close();
    await metrics.close();
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
    throw new UsageError('--insecure-no-auth is for a server without tokens; leave it out.');
  if (ways.length > 0) return { authenticate: ways.length === 1 ? ways[0] : anyOf(...ways) };
  if (!given.flag('insecure-no-auth')) {
    throw new UsageError(
      'serve: nobody could come in; pass --tokens FILE, --jwt-issuer and what belongs to it, or --insecure-no-auth where nobody else reaches the port.',
    );
  }
  if (!isLoopback(host)) {
    throw new UsageError('--insecure-no-auth is for the loopback: leave --host out, or pass --tokens FILE.');
  }
  process.stderr.write('rdf-worlds: no authentication: every program of this machine may do everything.\n');
  return { authenticate: () => ANYBODY, anonymous: ANYBODY, loopbackOnly: true };
}

/** Resolves on the first SIGTERM or SIGINT; the next one terminates the process by default. */
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
