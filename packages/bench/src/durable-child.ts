import { childWork } from './child-run.ts';
import { DURABLE_TASKS, type DurableWork } from './durable/durable-tasks.ts';

const work = childWork<DurableWork>();
process.stdout.write(JSON.stringify(await DURABLE_TASKS[work.task](work as never)));
