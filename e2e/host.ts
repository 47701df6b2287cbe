import { runProgram } from '../server/run.ts';

/*
 * Runs the program repeatedly in one process, each time with another database: loading a thousand modules takes most of a start, and a
 * warm process answers faster. The parent process sends the environment of the next run, or «stop».
 */

let stop: (() => Promise<void>) | undefined;

process.on('message', async (env: NodeJS.ProcessEnv | 'stop') => {
  try {
    if (env === 'stop') await stop?.();
    else stop = await runProgram(env);
    process.send?.({});
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) });
  }
});
