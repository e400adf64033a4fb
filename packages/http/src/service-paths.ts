import { PROBE_PATHS } from './probes.ts';

export const OPENAPI_PATH = '/openapi.json';
export const METRICS_PATH = '/metrics';

/** Paths of the service outside its table of routes; mounts and pages cannot have them. */
export const SERVICE_PATHS: readonly string[] = [OPENAPI_PATH, METRICS_PATH, ...PROBE_PATHS];
