import { callerKey, type RateLimit, tokenBucket } from '@rdf-worlds/http';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { integer } from './option-value.ts';
import { UsageError } from './usage-error.ts';

const COUNT = integer(1, 1_000_000);

/** Options for rate limiting. */
export const RATE_OPTIONS: readonly Option[] = [
  new Option(
    '--rate-limit <N>',
    'requests per second for each caller, and failed logins per second for each address (default: unlimited)',
  ).argParser(COUNT),
  new Option('--rate-burst <N>', 'requests allowed in a burst (default: the value of --rate-limit)').argParser(COUNT),
  new Option(
    '--client-address-header <NAME>',
    'the header with the client address, such as X-Forwarded-For; its last address is used. Only behind a proxy that sets it',
  ),
];

/**
 * Returns the rate limit that the options ask for. Throws `UsageError` for rate options without
 * `--rate-limit`.
 */
export function givenRateLimit(given: Arguments): RateLimit | undefined {
  const perSecond = given.integer('rate-limit');
  const burst = given.integer('rate-burst');
  const header = given.text('client-address-header')?.toLowerCase();
  if (perSecond === undefined) {
    const left = ['rate-burst', 'client-address-header'].find((name) => given.text(name) !== undefined);
    if (left !== undefined) throw new UsageError(`--${left} requires --rate-limit; pass both.`);
    return undefined;
  }
  if (header !== undefined && !/^[!#$%&'*+.^_`|~\w-]+$/.test(header))
    throw new UsageError('--client-address-header: this is not a valid header name.');
  return tokenBucket({
    perSecond,
    burst,
    keyOf:
      header === undefined
        ? undefined
        : (principal, { header: headerOf, remoteAddress }) =>
            callerKey(principal, { remoteAddress: headerOf(header)?.split(',').at(-1)?.trim() || remoteAddress }),
  });
}
