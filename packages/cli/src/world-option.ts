import { Option } from 'commander';

const SUMMARY = 'the world: slug, or namespace/slug';

export const WORLD_OPTION = new Option('--world <NAME>', SUMMARY);

/** Of commands that take all worlds of a namespace as well. */
export const WORLD_OR_ALL_OPTION = new Option('--world <NAME>', `${SUMMARY}; all of the namespace when not given`);
