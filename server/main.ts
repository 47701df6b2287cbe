import closeWithGrace from 'close-with-grace';
import { stopOnInterrupt } from './kit/start.ts';
import { runProgram } from './run.ts';

const hasFlag = (flag: string) => process.argv.includes(flag);

try {
  await runProgram(process.env, {
    demo: hasFlag('--demo'),
    dev: hasFlag('--dev'),
    inNetwork: hasFlag('--red'),
    beforeListening: (stop, log) => {
      stopOnInterrupt();
      closeWithGrace({ delay: 20_000, skip: ['SIGINT'] }, async ({ err }) => {
        if (err) log.fatal(err);
        await stop();
      });
    },
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit((error as { exitCode?: number }).exitCode ?? 1);
}
