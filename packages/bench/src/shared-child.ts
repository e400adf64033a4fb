import { childWork } from './child-run.ts';
import { SHARED_TASKS, type SharedWork } from './shared/shared-tasks.ts';

const work = childWork<SharedWork>();
process.stdout.write(JSON.stringify(await SHARED_TASKS[work.task](work as never)));
